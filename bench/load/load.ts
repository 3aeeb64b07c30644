import { Worker } from '../processes/worker.ts';

/** How load is sent. */
export interface Clients {
  /** Each has one request at a time in flight. */
  readonly connections: number;
  /**
   * The client polls without sleeping, which takes a core of its own. Otherwise the server that writes to it has to wake it. On a
   * virtual machine that costs 28 µs, more than a bare server's whole answer, and only the slower of two servers would pay it.
   */
  readonly busyPoll: boolean;
}

/** Enough to keep a server's one process busy. */
export const MANY: Clients = { connections: 64, busyPoll: true };
/** For pages of 1,000: more of them in flight would only fill the kernel's buffers. */
export const FOR_LARGE_PAGES: Clients = { connections: 8, busyPoll: true };
/** For a database that shares the cores. */
export const FEW: Clients = { connections: 8, busyPoll: false };

export interface Load extends Clients, Target {
  readonly seconds: number;
  /** Requested in this order, from the start again after the last one. */
  readonly paths: readonly string[];
}

export interface LoadResult {
  /** Answers with status 200. */
  readonly perSecond: number;
  /** Answers with status 503: the server shed load. */
  readonly shed: number;
}

/** The server that load is sent to. */
export interface Target {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends load from a process of its own: the server has one core, the client the other. */
export class LoadClient {
  readonly #worker = new Worker(new URL('./load-process.ts', import.meta.url));
  /** Sum of all loads so far. */
  shed = 0;

  get pid(): number {
    return this.#worker.pid;
  }

  async send(
    { port, headers }: Target,
    paths: readonly string[],
    seconds: number,
    clients: Clients,
  ): Promise<LoadResult> {
    const load: Load = { ...clients, port, headers, seconds, paths };
    const result = await this.#worker.request<LoadResult>(load);
    this.shed += result.shed;
    return result;
  }

  close(): void {
    this.#worker.end();
  }
}
