import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { Metrics } from '../api/metrics.ts';

/** The metrics of this process, with those of Node. With a worker's name, each has it as a label. */
export function processMetrics(worker?: string): Metrics {
  const registry = new Registry();
  if (worker !== undefined) registry.setDefaultLabels({ worker });
  collectDefaultMetrics({ register: registry });
  collectMemory(registry);
  return new Metrics(registry);
}

/** Metrics have a server of their own, so that callers of the API can't read them. */
export function createMetricsServer(current: () => Registry | Promise<Registry>): Server {
  return createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('metrics are at /metrics\n');
      return;
    }
    const registry = await current();
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  });
}

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
