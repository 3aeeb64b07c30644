import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { get, type IncomingHttpHeaders } from 'node:http';
import { fileURLToPath } from 'node:url';
import { LIST_API_KEYS_PATH } from '../../src/api/paths.ts';
import { freePort } from '../../test/support/free-port.ts';
import type { Target } from '../load/load.ts';
import { killAtExit } from '../processes/kill-at-exit.ts';
import { BIN } from '../processes/run.ts';

export interface Service extends Target {
  /** From the start of the process to its first page. */
  readonly millisecondsToFirstPage: number;
  /** Peak resident memory so far, in bytes; `null` where there is no /proc. */
  peakMemory(): number | null;
  /** CPU time of the service so far, with all its workers. Only on Linux. */
  cpuSeconds(): number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

const RETRY_MS = 2;
/** As docs/operations.md recommends. */
const NODE_OPTIONS = '--max-semi-space-size=8';

/** Runs `serve` as an operator does, in a process of its own, for as long as the work takes. */
export async function withService<T>(
  database: string,
  secret: string,
  work: (service: Service) => Promise<T>,
  flags: { readonly node?: readonly string[]; readonly serve?: readonly string[] } = {},
): Promise<T> {
  if (database.startsWith('sqlite:')) await readWhole(database.slice('sqlite:'.length));
  const port = await freePort();
  const settings = [
    '--database',
    database,
    '--port',
    String(port),
    '--rate-limit',
    '0',
    ...(flags.serve ?? []),
  ];
  const start = performance.now();
  const child = killAtExit(
    spawn(process.execPath, [...(flags.node ?? []), BIN, 'serve', ...settings], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, NODE_OPTIONS },
      stdio: ['ignore', 'ignore', 'inherit'], // its log goes to /dev/null
    }),
  );
  const ended = once(child, 'exit');
  const target = { port, headers: { 'x-api-key': secret, 'vendor-version': '2023-06-01' } };
  try {
    while ((await requestPage(target).catch(() => null))?.status !== 200) {
      if (child.exitCode !== null) throw new Error('serve ended');
      await new Promise(resolve => setTimeout(resolve, RETRY_MS));
    }
    const millisecondsToFirstPage = performance.now() - start;
    return await work({
      ...target,
      millisecondsToFirstPage,
      peakMemory: () => peakMemory(child.pid),
      cpuSeconds: () => cpuSeconds(child.pid as number),
    });
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** Brings the file into the operating system's cache: the disk isn't what is measured. */
async function readWhole(file: string): Promise<void> {
  for await (const _ of createReadStream(file, { highWaterMark: 1024 * 1024 }));
}

/** One whole answer. */
export async function requestPage({ port, headers }: Target, query = ''): Promise<Answer> {
  const options = { host: '127.0.0.1', port, path: `${LIST_API_KEYS_PATH}?${query}`, headers, agent: false };
  return new Promise((resolve, reject) => {
    const request = get(options, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers, rawHeaders } = response;
        resolve({ status, headers, rawHeaders, body: Buffer.concat(chunks) });
      });
    });
    request.on('error', reject);
  });
}

function peakMemory(pid: number | undefined): number | null {
  try {
    const found = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found ? Number(found[1]) * 1024 : null;
  } catch {
    return null;
  }
}

/** Of all threads of a process and of its children; more exact than the ticks of `stat`. */
function cpuSeconds(pid: number): number {
  let sum = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${thread}`;
    sum += Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
    const children = readFileSync(`${folder}/children`, 'utf8').split(' ').filter(Boolean);
    for (const child of children) sum += cpuSeconds(Number(child));
  }
  return sum;
}
