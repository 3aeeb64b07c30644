import type { PostgresUrl } from '../connecting/url.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { PipelinedConnection } from './pipelined-connection.ts';
import type { Statement } from './reads.ts';

/** How long the statements of a part go over the connection for slow ones after one of them was slow. */
const SLOW_FOR_MS = 10_000;
/** Connections that were replaced while a statement hung, and are open until it ends. Each ends by its timeout. */
const MAX_REPLACED = 4;

/**
 * Two connections: one for statements that take as long as they should, one for those of parts that were slow lately. A statement that
 * turns out to be slow keeps its connection for itself: what waits behind it is sent again over a new one. So what hangs, hangs for
 * its part.
 */
export class Lane {
  readonly #url: PostgresUrl;
  readonly #breaker = new CircuitBreaker();
  #main: PipelinedConnection;
  #forSlow: PipelinedConnection | undefined;
  /** Until when each part counts as slow, oldest first. */
  readonly #slowUntil = new Map<string, number>();
  readonly #replaced = new Set<PipelinedConnection>();

  constructor(url: PostgresUrl) {
    this.#url = url;
    this.#main = this.#newMain();
  }

  /** Throws `StoreBusy` and `StoreUnavailable`. */
  async rows<Row extends unknown[]>(statement: Statement, part: string): Promise<Row[]> {
    const connection = this.#connectionOf(part);
    connection.refuseInVain();
    return connection.rows<Row>(statement, part);
  }

  /** As `rows`, but waits however many others do. */
  async rowsAfterAll<Row extends unknown[]>(statement: Statement): Promise<Row[]> {
    return this.#main.rows<Row>(statement);
  }

  /** What is wrong with the lane; `null` while it works. */
  get problem(): string | null {
    return this.#breaker.isOpen ? this.#breaker.reason : null;
  }

  async close(): Promise<void> {
    const all = [this.#main, this.#forSlow, ...this.#replaced];
    await Promise.all(all.map(connection => connection?.close()));
  }

  #connectionOf(part: string): PipelinedConnection {
    if (this.#slowUntil.size === 0) return this.#main;
    for (const [slow, until] of this.#slowUntil) {
      if (until > performance.now()) break;
      this.#slowUntil.delete(slow);
    }
    if (this.#slowUntil.has(part)) {
      this.#forSlow ??= new PipelinedConnection(this.#url, { onSlow: slow => this.#markSlow(slow) });
      return this.#forSlow;
    }
    if (this.#slowUntil.size === 0) {
      this.#forSlow?.retire();
      this.#forSlow = undefined;
    }
    return this.#main;
  }

  #newMain(): PipelinedConnection {
    return new PipelinedConnection(this.#url, {
      breaker: this.#breaker,
      onSlow: (part, connection) => {
        this.#markSlow(part);
        if (connection === this.#main && this.#replaced.size < MAX_REPLACED) this.#replaceMain();
      },
    });
  }

  #markSlow(part: string): void {
    this.#slowUntil.delete(part);
    this.#slowUntil.set(part, performance.now() + SLOW_FOR_MS);
  }

  #replaceMain(): void {
    const slow = this.#main;
    this.#main = this.#newMain();
    this.#replaced.add(slow);
    slow.sendAgainOver(this.#main);
    slow.retire().then(() => this.#replaced.delete(slow));
  }
}
