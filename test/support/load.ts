/** Puts load on a service from another process, and returns the results. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { atEndOf, type Scope } from './scope.ts';

const PROCESS = fileURLToPath(new URL('load-process.ts', import.meta.url));

export interface Load {
  readonly port: number;
  /** Sent one after another, repeatedly. */
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second, independent of the answers while a connection is free; by default as fast as answers come. */
  readonly rate?: number;
  /** Requests on each connection before it is replaced by a new one; by default unlimited. */
  readonly requestsEach?: number;
}

export interface LoadResult {
  readonly sent: number;
  /** Requests left unanswered by a connection that had answered before and closed without announcing it. */
  readonly unanswered: number;
  /** The same for a connection's first request, which the service may never have accepted. */
  readonly unansweredOnNew: number;
  /** Connections refused because nothing listened. */
  readonly refused: number;
  /** Requests still unanswered long after the end. */
  readonly unfinished: number;
  /** For each second: the number of answers by status, and the milliseconds that the 200s took. */
  readonly seconds: readonly {
    readonly statuses: Readonly<Record<number, number>>;
    readonly times: readonly number[];
  }[];
}

/** @param until ends the load before its time. */
export async function load(scope: Scope, what: Load, until?: Promise<void>): Promise<LoadResult> {
  const child = fork(PROCESS, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  atEndOf(scope, () => child.kill('SIGKILL'));
  const result = Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the load process ended early'))),
  ]);
  child.send(what);
  void until?.then(() => child.send('stop'));
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

/** The time in milliseconds within which this share of the 200s was answered, such as 0.99. */
export function quantile(seconds: LoadResult['seconds'], share: number): number {
  const times = seconds.flatMap(second => second.times).sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;
}

/** 200s a second. */
export function throughput(seconds: LoadResult['seconds']): number {
  return seconds.reduce((sum, { times }) => sum + times.length, 0) / seconds.length;
}
