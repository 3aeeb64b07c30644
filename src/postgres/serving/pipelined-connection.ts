import { Client } from 'pg';
import { StoreBusy, StoreUnavailable } from '../../roster/errors.ts';
import { clientConfig } from '../connection.ts';

/** One statement may take this long on the server: a page takes under a millisecond. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** When there is no answer after this long, the connection hangs and is closed. */
const ANSWER_TIMEOUT_MS = 6_000;
/** Once a statement has been under way for this long, another one would only wait behind it. */
const MAX_UNDER_WAY_MS = 500;

/**
 * Settings of every connection that reads. The planner may not sort or read a table whole: each page has an index that
 * gives its rows in order. A plan that looks better is so by stale statistics only.
 */
export const READER_SETTINGS = `
  SET default_transaction_read_only = on;
  SET statement_timeout = ${STATEMENT_TIMEOUT_MS};
  SET enable_seqscan = off;
  SET enable_bitmapscan = off;
  SET enable_sort = off;
  SET enable_incremental_sort = off;
  SET jit = off`;

export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The one connection over which the service reads, many statements under way at once: PostgreSQL answers them in
 * turn, faster than a pool of connections would. When it breaks, what is under way fails, and the next statement
 * opens another.
 */
export class PipelinedConnection {
  readonly #url: string;
  #client: Promise<Client> | undefined;
  #closed = false;
  /** When each statement under way was sent, oldest first: they are answered in turn. */
  readonly #sentAt: number[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  /** Throws `StoreBusy` when one more statement would wait too long behind those under way. */
  refuseWhenBusy(): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#sentAt;
    if (performance.now() - oldest > MAX_UNDER_WAY_MS) throw new StoreBusy();
  }

  /** The rows, each as an array of texts as PostgreSQL writes them, or `null`. Throws `StoreUnavailable`. */
  async rows<Row extends unknown[]>({ name, text, values }: Statement): Promise<Row[]> {
    this.#sentAt.push(performance.now());
    try {
      const client = await this.#connected();
      const { rows } = await client.query<Row>({ name, text, values: [...values], rowMode: 'array' });
      return rows;
    } catch (error) {
      throw new StoreUnavailable(`PostgreSQL: ${(error as Error).message}`, { cause: error });
    } finally {
      this.#sentAt.shift();
    }
  }

  /** Ends the connection, in no more time than an answer may take: one that hangs is never ended by the other side. */
  async close(): Promise<void> {
    this.#closed = true;
    const client = await this.#client?.catch(() => undefined);
    if (!client) return;
    const giveUp = setTimeout(() => client.connection.stream.destroy(), ANSWER_TIMEOUT_MS);
    await client.end();
    clearTimeout(giveUp);
  }

  #connected(): Promise<Client> {
    if (this.#closed) throw new Error('the store is closed');
    if (this.#client) return this.#client;
    const opening = this.#open(() => {
      if (this.#client === opening) this.#client = undefined;
    });
    this.#client = opening;
    return opening;
  }

  async #open(discard: () => void): Promise<Client> {
    const client = new Client(clientConfig(this.#url, { pipeline: true, query_timeout: ANSWER_TIMEOUT_MS }));
    client.on('error', discard);
    client.on('end', discard);
    try {
      await client.connect();
      await client.query(READER_SETTINGS);
      return client;
    } catch (error) {
      discard();
      client.end().catch(() => {});
      throw error;
    }
  }
}
