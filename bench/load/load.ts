import { Worker } from './worker.ts';

/** Requests under way at once: enough to keep the one process of a server busy. */
export const CONNECTIONS = 8;

export interface Load {
  readonly port: number;
  /** Requests under way at once, each on a connection of its own. */
  readonly connections: number;
  readonly seconds: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What is asked for, in turn, again and again. */
  readonly paths: readonly string[];
}

export interface LoadResult {
  /** Answers with status 200. */
  readonly perSecond: number;
  /** Answers with status 503: the server shed load. */
  readonly shed: number;
  /** Milliseconds. */
  readonly p99: number;
  /** How much of a core the client took, from 0 to 1: near 1 it measured itself and not the server. */
  readonly clientBusy: number;
}

/** Whom to ask. */
export interface Target {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The load comes from a process of its own: the server that is measured has one core, this has the other. */
export class LoadClient {
  readonly #worker = new Worker(new URL('./client.ts', import.meta.url));
  /** Over all loads so far. */
  busiest = 0;
  shed = 0;

  async send(target: Target, paths: readonly string[], seconds: number): Promise<LoadResult> {
    const { port, headers } = target;
    const load: Load = { port, headers, connections: CONNECTIONS, seconds, paths };
    const result = await this.#worker.ask<LoadResult>(load);
    this.busiest = Math.max(this.busiest, result.clientBusy);
    this.shed += result.shed;
    return result;
  }

  close(): void {
    this.#worker.end();
  }
}
