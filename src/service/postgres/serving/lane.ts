import type { PostgresUrl } from '../connecting/url.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { PipelinedConnection } from './pipelined-connection.ts';
import type { Statement } from './reads.ts';

/** How long a part stays at a level after one of its statements was slow. */
const SLOW_FOR_MS = 10_000;
/**
 * By level: connections that were replaced while a statement hung, and are open until it ends. Each ends by its timeout. The last
 * level's is never replaced.
 */
const MAX_REPLACED = [4, 2, 0] as const;
const LAST_LEVEL = MAX_REPLACED.length - 1;

/**
 * A connection for statements that take as long as they should, one for those of parts that were slow lately, and one for parts that
 * were slow there again. A statement that turns out to be slow keeps its connection for itself: what waits behind it is sent again over
 * a new one. So what hangs, hangs for its part. A pause of the whole machine makes any part slow once, but doesn't put it behind one
 * that hangs.
 */
export class Lane {
  readonly #url: PostgresUrl;
  /** Of all connections, to tell of. */
  readonly #health = new CircuitBreaker();
  /** Of the first level. */
  readonly #breaker = new CircuitBreaker(this.#health);
  /** By level. All but the first are opened when there is a part for them. */
  readonly #connections: [PipelinedConnection, ...(PipelinedConnection | undefined)[]];
  /** The parts that are slow, the one that was so longest ago first. */
  readonly #slow = new Map<string, { readonly level: number; readonly until: number }>();
  readonly #replaced = MAX_REPLACED.map(() => new Set<PipelinedConnection>());
  /** That were for parts which aren't slow any more, until they are closed. */
  readonly #retiring = new Set<PipelinedConnection>();
  #closed = false;

  constructor(url: PostgresUrl) {
    this.#url = url;
    this.#connections = [this.#newConnection(0, this.#breaker)];
  }

  /** Throws `StoreBusy` and `StoreUnavailable`. */
  async rows<Row extends unknown[]>(statement: Statement, part: string): Promise<Row[]> {
    const connection = this.#connectionOf(part);
    connection.refuseInVain();
    return connection.rows<Row>(statement, part);
  }

  /** As `rows`, but waits however many others do. */
  async rowsAfterAll<Row extends unknown[]>(statement: Statement): Promise<Row[]> {
    return this.#connections[0].rows<Row>(statement);
  }

  /** What is wrong with the lane; `null` while it works. */
  get problem(): string | null {
    return this.#health.problem;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const replaced = this.#replaced.flatMap(each => [...each]);
    const all = [...this.#connections, ...replaced, ...this.#retiring];
    await Promise.all(all.map(connection => connection?.close()));
  }

  #connectionOf(part: string): PipelinedConnection {
    if (this.#slow.size === 0) return this.#connections[0];
    this.#forgetPastSlowness();
    const level = this.#slow.get(part)?.level ?? 0;
    this.#connections[level] ??= this.#newConnection(level);
    return this.#connections[level];
  }

  #forgetPastSlowness(): void {
    for (const [part, { until }] of this.#slow) {
      if (until > performance.now()) return;
      this.#slow.delete(part);
    }
    for (const connection of this.#connections.splice(1)) {
      if (!connection) continue;
      this.#retiring.add(connection);
      connection.retire().then(() => this.#retiring.delete(connection));
    }
  }

  #newConnection(level: number, breaker = new CircuitBreaker(this.#health)): PipelinedConnection {
    return new PipelinedConnection(this.#url, {
      breaker,
      onSlow: (part, isOver, connection) => {
        this.#markSlow(part, level + 1);
        if (isOver) return;
        const mayReplace = (this.#replaced[level]?.size ?? 0) < (MAX_REPLACED[level] ?? 0);
        if (connection === this.#connections[level] && mayReplace && !this.#closed)
          this.#replace(level, connection);
      },
    });
  }

  #markSlow(part: string, level: number): void {
    const known = this.#slow.get(part)?.level ?? 0;
    this.#slow.delete(part); // so that it is the last again
    const until = performance.now() + SLOW_FOR_MS;
    this.#slow.set(part, { level: Math.min(Math.max(known, level), LAST_LEVEL), until });
  }

  #replace(level: number, slow: PipelinedConnection): void {
    const other = this.#newConnection(level, level === 0 ? this.#breaker : undefined);
    this.#connections[level] = other;
    this.#replaced[level]?.add(slow);
    slow.sendAgainOver(other);
    slow.retire().then(() => this.#replaced[level]?.delete(slow));
  }
}
