import { Worker } from './worker.ts';

/** Who asks. */
export interface Clients {
  /** Each has one request at a time under way. */
  readonly connections: number;
  /**
   * Never sleeps, which takes a core of its own. Whoever writes to a sleeping process has to wake it. On a virtual machine
   * that costs 28 µs, more than a bare server's whole answer, and only the slower of two servers would pay it.
   */
  readonly awake: boolean;
}

/** Enough to keep the one process of a server busy. */
export const MANY: Clients = { connections: 64, awake: true };
/** For pages of 1,000: more of these under way would only fill the kernel's buffers. */
export const FOR_LARGE_PAGES: Clients = { connections: 8, awake: true };
/** For a server that needs both cores, or answers a few requests a second. */
export const FEW: Clients = { connections: 8, awake: false };

export interface Load extends Clients {
  readonly port: number;
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
  shed = 0;

  async send(
    { port, headers }: Target,
    paths: readonly string[],
    seconds: number,
    clients: Clients,
  ): Promise<LoadResult> {
    const load: Load = { ...clients, port, headers, seconds, paths };
    const result = await this.#worker.ask<LoadResult>(load);
    this.shed += result.shed;
    return result;
  }

  close(): void {
    this.#worker.end();
  }
}
