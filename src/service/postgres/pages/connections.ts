import { type Client, DatabaseError } from 'pg';
import { StoreBusy, StoreUnavailable } from '../../roster/errors.ts';
import { connect } from '../connecting/connection.ts';
import type { PostgresUrl } from '../connecting/url.ts';
import { whyBroken } from '../errors.ts';
import { READER_SETTINGS, RESPONSE_TIMEOUT_MS, type Statement } from './reads.ts';
import { Turns } from './turns.ts';

/** Who waits longer would wait behind what hangs. */
export const MAX_WAIT_MS = 500;
/** A page of 1,000 keys with the longest names takes a quarter of it. */
const MAX_ANSWER_BYTES = 32 * 2 ** 20;
/** While others work, a connection that can't be had is tried again after this long: PostgreSQL may have none left. */
const CONNECT_AGAIN_MS = 100;

/**
 * Connections with one statement at a time on each, opened when there are too few. It isn't the pool of `pg`: that makes its client
 * before it is known which host of the URL will do, and whoever waits gets the connection that is opened for it or none, though
 * another one may be free long before.
 */
export class Connections {
  readonly #url: PostgresUrl;
  readonly #max: number;
  readonly #turns = new Turns<Client>();
  /** Those that are open, and when each will have ended. */
  readonly #open = new Map<Client, Promise<void>>();
  #opening = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(url: PostgresUrl, max: number) {
    this.#url = url;
    this.#max = max;
  }

  /**
   * A statement whose connection broke is sent once more, as it only reads. Throws `StoreBusy` and `StoreUnavailable`.
   * @param until when to give up waiting for a connection, by `performance.now()`.
   */
  async rows(statement: Statement, until: number, isAgain = false): Promise<unknown[][]> {
    if (this.#closed) throw unavailable(new Error('the store is closed'));
    const turn = this.#turns.take(until);
    const client = turn instanceof Promise ? await this.#waitFor(turn) : turn;
    const timer = setTimeout(giveUp, RESPONSE_TIMEOUT_MS, client);
    try {
      const rows = await rowsOf(client, statement);
      this.#give(client);
      return rows;
    } catch (cause) {
      const error = cause as Error;
      const isBroken = whyBroken(error) !== undefined;
      if (error instanceof DatabaseError && !isBroken) this.#give(client);
      else this.#discard(client);
      if (!isBroken || isAgain || error.message === TIMED_OUT) throw unavailable(error);
    } finally {
      clearTimeout(timer);
    }
    return this.rows(statement, performance.now() + MAX_WAIT_MS, true);
  }

  /** Closes each connection once its statement has ended. One that hangs is closed after a timeout. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const client of this.#turns.takeFree()) client.end();
    const timer = setTimeout(() => {
      for (const client of this.#open.keys()) client.connection.stream.destroy();
    }, RESPONSE_TIMEOUT_MS);
    await Promise.all(this.#open.values());
    clearTimeout(timer);
  }

  async #waitFor(turn: Promise<Client>): Promise<Client> {
    this.#openForWaiting();
    try {
      return await turn;
    } catch (error) {
      if (error instanceof StoreBusy && this.#open.size === 0)
        throw unavailable(new Error('no connection is open in time'));
      throw error;
    }
  }

  #give(client: Client): void {
    if (this.#closed && this.#turns.waiting === 0) client.end();
    else this.#turns.give(client);
  }

  /** Those that nobody uses too: what broke one has mostly broken all, and each would fail a request to tell. */
  #discard(client: Client): void {
    for (const each of [client, ...this.#turns.takeFree()]) each.connection.stream.destroy();
  }

  #openForWaiting(): void {
    if (this.#turns.waiting <= this.#opening || this.#open.size + this.#opening >= this.#max) return;
    if (this.#open.size > 0 && performance.now() - this.#failedAt < CONNECT_AGAIN_MS) return;
    this.#openAnother();
  }

  async #openAnother(): Promise<void> {
    this.#opening += 1;
    try {
      const client = await this.#connected();
      const { promise, resolve } = Promise.withResolvers<void>();
      client.once('end', () => {
        this.#open.delete(client);
        this.#turns.remove(client);
        this.#openForWaiting();
        resolve();
      });
      this.#open.set(client, promise);
      this.#give(client);
    } catch (error) {
      this.#failedAt = performance.now();
      if (this.#open.size === 0) this.#turns.refuseWaiting(unavailable(error as Error));
    } finally {
      this.#opening -= 1;
    }
  }

  async #connected(): Promise<Client> {
    const client = await connect(this.#url, { maxAnswerBytes: MAX_ANSWER_BYTES });
    try {
      await client.query({ text: READER_SETTINGS, ...{ query_timeout: RESPONSE_TIMEOUT_MS } });
      return client;
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
  }
}

/**
 * With a callback, and no timeout of the driver's: its promise and its timer make V8 keep each answer until a full collection, of
 * which pages of 1,000 keys begin one for every 40.
 */
function rowsOf(client: Client, { name, text, values }: Statement): Promise<unknown[][]> {
  return new Promise((resolve, reject) => {
    const query = { name, text, values: [...values], rowMode: 'array' as const };
    client.query<unknown[]>(query, (error, result) => (error ? reject(error) : resolve(result.rows)));
  });
}

/** The driver's words for a statement that had no answer in time. */
const TIMED_OUT = 'Query read timeout';

function giveUp(client: Client): void {
  client.connection.stream.destroy(new Error(TIMED_OUT));
}

/** Citus adds what a node says behind a line break. */
function unavailable(cause: Error): StoreUnavailable {
  return new StoreUnavailable(`PostgreSQL: ${cause.message.replaceAll(/\s+/g, ' ')}`, { cause });
}
