import { Client, type ClientConfig } from 'pg';
import { StoreBusy, StoreUnavailable } from '../roster/errors.ts';

/** One statement may take this long on the server: a page takes under a millisecond. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** And this long until its answer is here, after which the connection is given up: it hangs. */
const ANSWER_TIMEOUT_MS = 6_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** A statement under way for this long means that more would only wait behind it. */
const MAX_UNDER_WAY_MS = 500;

/**
 * Settings of every connection that reads. The planner may not sort or read a table whole: each page has an index that
 * gives its rows in order, and a plan that looks better by stale statistics is never better.
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
export class Connection {
  readonly #url: string;
  #client: Promise<Client> | undefined;
  #closed = false;
  /** When each statement under way was asked for, oldest first: they are answered in turn. */
  readonly #askedAt: number[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  /** Throws `StoreBusy` when one more statement would wait too long behind those under way. */
  refuseWhenBusy(): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#askedAt;
    if (performance.now() - oldest > MAX_UNDER_WAY_MS) throw new StoreBusy();
  }

  /** The rows, each as an array of texts as PostgreSQL writes them, or `null`. Throws `StoreUnavailable`. */
  async rows<Row extends unknown[]>({ name, text, values }: Statement): Promise<Row[]> {
    this.#askedAt.push(performance.now());
    try {
      const client = await this.#connected();
      const { rows } = await client.query<Row>({ name, text, values: [...values], rowMode: 'array' });
      return rows;
    } catch (error) {
      throw new StoreUnavailable(`PostgreSQL: ${(error as Error).message}`, { cause: error });
    } finally {
      this.#askedAt.shift();
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

  async #open(forget: () => void): Promise<Client> {
    const client = new Client(clientConfig(this.#url, { pipeline: true, query_timeout: ANSWER_TIMEOUT_MS }));
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
      await client.query(READER_SETTINGS);
      return client;
    } catch (error) {
      forget();
      client.end().catch(() => {});
      throw error;
    }
  }
}

export function clientConfig(url: string, more: ClientConfig & { pipeline?: boolean } = {}): ClientConfig {
  return {
    connectionString: url,
    application_name: 'keyroster',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    // Values as PostgreSQL writes them: the driver's own reading of timestamps drops the microseconds.
    types: { getTypeParser: () => (text: string) => text },
    ...more,
  };
}
