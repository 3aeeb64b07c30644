import { readFileSync } from 'node:fs';
import { Gauge, type Registry } from 'prom-client';

/** Linux tells the kinds of resident memory apart. What is anonymous belongs to one process alone. */
const KINDS = { RssAnon: 'anonymous', RssFile: 'file', RssShmem: 'shared' } as const;

/** Of what kind the resident memory of this process is. Other systems than Linux have no such metric. */
export function collectMemory(registry: Registry): void {
  if (process.platform !== 'linux') return;
  const gauge: Gauge<'kind'> = new Gauge({
    name: 'keyroster_resident_memory_bytes',
    help: 'Resident memory by kind: what the process has alone, and what it may share with others, of files and of shared memory.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const [, name, kilobytes] of readFileSync('/proc/self/status', 'utf8').matchAll(
        /^(RssAnon|RssFile|RssShmem):\s*(\d+) kB$/gm,
      ))
        gauge.set({ kind: KINDS[name as keyof typeof KINDS] }, Number(kilobytes) * 1024);
    },
  });
}
