/** Load on a service from another process, and what came of it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { atEndOf, type Scope } from './scope.ts';

const PROCESS = fileURLToPath(new URL('load-process.ts', import.meta.url));

export interface Load {
  readonly port: number;
  /** Sent in turn. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second, sent while a connection is free, however slow the answers are; absent: as fast as they come. */
  readonly rate?: number;
  /** Requests on each connection before it is closed and another opened; absent: no end. */
  readonly requestsEach?: number;
}

export interface LoadResult {
  readonly sent: number;
  /** Requests whose connection ended without an answer to them, though it had answered before and not said that it would end. */
  readonly unanswered: number;
  /** The same on a connection's first request, which the service may never have accepted. */
  readonly unansweredOnNew: number;
  /** Connections that nothing listened for. */
  readonly refused: number;
  /** Requests still under way long after the end. */
  readonly unfinished: number;
  /** By the second in which they were answered: how many of each status, and the milliseconds of the 200s. */
  readonly seconds: readonly {
    readonly statuses: Readonly<Record<number, number>>;
    readonly times: readonly number[];
  }[];
}

export async function load(scope: Scope, what: Load): Promise<LoadResult> {
  const child = fork(PROCESS, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  atEndOf(scope, () => child.kill('SIGKILL'));
  const result = Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the load ended early'))),
  ]);
  child.send(what);
  const [found] = await result;
  return found as LoadResult;
}

export function statusesOf(seconds: LoadResult['seconds']): Record<number, number> {
  const all: Record<number, number> = {};
  for (const { statuses } of seconds) {
    for (const [status, count] of Object.entries(statuses))
      all[Number(status)] = (all[Number(status)] ?? 0) + count;
  }
  return all;
}

/** Milliseconds that this share of the 200s (0.99, say) took at most. */
export function quantile(seconds: LoadResult['seconds'], share: number): number {
  const times = seconds.flatMap(second => second.times).sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;
}

/** 200s a second. */
export function throughput(seconds: LoadResult['seconds']): number {
  return seconds.reduce((sum, { times }) => sum + times.length, 0) / seconds.length;
}
