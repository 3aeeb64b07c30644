import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { get, type IncomingHttpHeaders } from 'node:http';
import { fileURLToPath } from 'node:url';
import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';
import type { Target } from '../load/load.ts';
import { killAtExit } from '../processes/kill-at-exit.ts';

/** A running server with the list endpoint. */
export interface Server extends Target {
  readonly pid: number;
  /** From the start of the process to its first page. */
  readonly millisecondsToFirstPage: number;
  /** Memory in bytes; `null` where there is no /proc. */
  memory(): Memory | null;
  /** CPU time so far, with all child processes. Only on Linux. */
  cpuSeconds(): number;
}

export interface Memory {
  /** The peak of resident memory so far (`VmHWM`). */
  readonly peak: number;
  /** Anonymous memory now (`RssAnon`): without the program and other files, which processes share. */
  readonly anonymous: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

const RETRY_MS = 2;

/** Runs a server in a process of its own for as long as the work takes. What it prints goes to /dev/null. */
export async function withServer<T>(
  [program, ...args]: readonly [string, ...string[]],
  { port, secret, env }: { port: number; secret: string; env: Readonly<Record<string, string>> },
  work: (server: Server) => Promise<T>,
): Promise<T> {
  const start = performance.now();
  const child = killAtExit(
    spawn(program, args, {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  const ended = once(child, 'exit');
  const target = { port, headers: { 'x-api-key': secret, 'vendor-version': '2023-06-01' } };
  try {
    while ((await requestPage(target).catch(() => null))?.status !== 200) {
      if (child.exitCode !== null) throw new Error(`${program} ${args[0]} ended`);
      await new Promise(resolve => setTimeout(resolve, RETRY_MS));
    }
    const millisecondsToFirstPage = performance.now() - start;
    const { pid = 0 } = child;
    return await work({
      ...target,
      pid,
      millisecondsToFirstPage,
      memory: () => memoryOf(pid),
      cpuSeconds: () => cpuSeconds(pid),
    });
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
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

function memoryOf(pid: number): Memory | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const bytes = (name: string) =>
      Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
    return { peak: bytes('VmHWM'), anonymous: bytes('RssAnon') };
  } catch {
    return null;
  }
}

/** Of all threads of a process and of its children; more exact than the ticks of `stat`. */
export function cpuSeconds(pid: number): number {
  let sum = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${thread}`;
    sum += Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
    const children = readFileSync(`${folder}/children`, 'utf8').split(' ').filter(Boolean);
    for (const child of children) sum += cpuSeconds(Number(child));
  }
  return sum;
}
