import type { Client } from 'pg';
import { StoreBusy, StoreUnavailable } from '../../roster/errors.ts';
import { connect } from '../connection.ts';

/** How long one statement may take on the server. A page takes under a millisecond. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** Without a response after this long, the connection is taken to hang and is closed. */
const RESPONSE_TIMEOUT_MS = 6_000;
/** A page of 1,000 keys with the longest names takes a quarter of it. */
const MAX_ANSWER_BYTES = 32 * 2 ** 20;
/** When a statement has been in flight longer, another one would only wait behind it. */
const MAX_IN_FLIGHT_MS = 500;

/**
 * Settings of every connection that reads. The planner must not sort or scan a whole table: every page has an index that
 * returns its rows in order, and a plan that looks cheaper is based on stale statistics. So one plan is right for all values.
 * PostgreSQL would plan each page of a large roster anew, which takes longer than reading it. Citus has to: it finds the
 * shard when it plans. Where row-level security would hide rows, the statement fails: a page must not leave them out.
 * `deploy/postgres-roles.sql` gives them to the role too: what a connection sets reaches no worker of Citus.
 */
export const READER_ROLE_SETTINGS = {
  default_transaction_read_only: 'on',
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  row_security: 'off',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  enable_incremental_sort: 'off',
  jit: 'off',
} as const satisfies Readonly<Record<string, string>>;

export const READER_SETTINGS = `
  ${Object.entries(READER_ROLE_SETTINGS)
    .map(([name, value]) => `SET ${name} = ${value};`)
    .join('\n  ')}
  SELECT set_config('plan_cache_mode', 'force_generic_plan', false)
    WHERE NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')`;

interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The one connection over which the service reads. Statements are pipelined: many are in flight at once, and PostgreSQL
 * responds to them in order, which is faster than a pool of connections. When the connection breaks, the statements in
 * flight fail, and the next one opens a new connection.
 */
export class PipelinedConnection {
  readonly #url: string;
  #client: Promise<Client> | undefined;
  #closed = false;
  /** When each statement in flight was sent, oldest first. Responses arrive in the same order. */
  readonly #sentAt: number[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  /** Throws `StoreBusy` when another statement would wait too long behind those in flight. */
  refuseWhenBusy(): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#sentAt;
    if (performance.now() - oldest > MAX_IN_FLIGHT_MS) throw new StoreBusy();
  }

  /** Each row is an array of values in PostgreSQL's text format, or `null`. Throws `StoreUnavailable`. */
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

  /** Closes the connection. One that hangs is destroyed after a timeout, as its other side would never close it. */
  async close(): Promise<void> {
    this.#closed = true;
    const client = await this.#client?.catch(() => undefined);
    if (!client) return;
    const destroyTimer = setTimeout(() => client.connection.stream.destroy(), RESPONSE_TIMEOUT_MS);
    await client.end();
    clearTimeout(destroyTimer);
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
    let client: Client | undefined;
    try {
      const options = {
        pipeline: true,
        query_timeout: RESPONSE_TIMEOUT_MS,
        maxAnswerBytes: MAX_ANSWER_BYTES,
      };
      client = await connect(this.#url, options);
      client.on('error', discard);
      client.on('end', discard);
      await client.query(READER_SETTINGS);
      return client;
    } catch (error) {
      discard();
      client?.end().catch(() => {});
      throw error;
    }
  }
}
