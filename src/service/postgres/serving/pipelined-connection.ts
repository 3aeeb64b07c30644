import { type Client, DatabaseError } from 'pg';
import { StoreBusy, StoreUnavailable } from '../../roster/errors.ts';
import type { PostgresUrl } from '../connecting/url.ts';
import { connect } from '../connection.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { READER_SETTINGS, RESPONSE_TIMEOUT_MS, type Reads, type Statement } from './reads.ts';

/** A page of 1,000 keys with the longest names takes a quarter of it. */
const MAX_ANSWER_BYTES = 32 * 2 ** 20;
/** When a statement has been in flight longer, another one would only wait behind it. */
const MAX_IN_FLIGHT_MS = 500;
/** Longer than it takes to find that all connections of a level hang. Later its wait would begin anew, so it is refused instead. */
const MAX_BEFORE_SENT_AGAIN_MS = 2_000;

/** A statement and who waits for its rows. It can be sent again over another connection, whose answer then counts. */
interface Sending {
  readonly statement: Statement;
  readonly part: string;
  /** For the first time. */
  readonly since: number;
  /** Over the connection that answers it. */
  sentAt: number;
  readonly resolve: (rows: unknown[][]) => void;
  readonly reject: (error: StoreBusy | StoreUnavailable) => void;
  over: PipelinedConnection;
}

interface Options {
  /** Shared by the connections that take each other's place. */
  readonly breaker?: CircuitBreaker;
  /** Called while a statement that reads this part takes too long, and when one ends whose part is slow. */
  readonly onSlow?: (part: string, isOver: boolean, connection: PipelinedConnection) => void;
}

/**
 * A connection over which statements are pipelined: many are in flight at once, and PostgreSQL answers them in order, which is
 * faster than a pool of connections. When it breaks, the statements in flight fail, and the next one connects again.
 */
export class PipelinedConnection implements Reads {
  readonly #url: PostgresUrl;
  readonly #breaker: CircuitBreaker;
  #client: Promise<Client> | undefined;
  #closed = false;
  /** Those that were sent again elsewhere too, as this connection answers them. */
  readonly #inFlight: InFlight<Sending>;
  #onUnawaited: (() => void) | undefined;

  constructor(url: PostgresUrl, { breaker = new CircuitBreaker(), onSlow = () => {} }: Options = {}) {
    this.#url = url;
    this.#breaker = breaker;
    this.#inFlight = new InFlight((part, isOver) => onSlow(part, isOver, this));
  }

  /** Throws `StoreBusy` when another statement would wait too long, and `StoreUnavailable` when it would fail. */
  refuseInVain(): void {
    const reason = this.#breaker.refusal(this.#inFlight.all.length);
    if (reason !== null) throw new StoreUnavailable(`PostgreSQL: ${reason}; tried again in a moment`);
    const [oldest] = this.#inFlight.all;
    if (oldest && performance.now() - oldest.sentAt > MAX_IN_FLIGHT_MS) throw new StoreBusy();
  }

  rows<Row extends unknown[]>(statement: Statement, part = ''): Promise<Row[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
    const since = performance.now();
    this.#send({
      statement,
      part,
      since,
      sentAt: since,
      resolve: resolve as Sending['resolve'],
      reject,
      over: this,
    });
    return promise;
  }

  /** Sends again what waits behind a slow statement that reads another part, or refuses it where it has waited for long. */
  sendAgainOver(other: PipelinedConnection): void {
    const [head] = this.#inFlight.all;
    for (const sending of this.#inFlight.all) {
      if (sending.part === head?.part || sending.over !== this) continue;
      if (performance.now() - sending.since > MAX_BEFORE_SENT_AGAIN_MS) sending.reject(new StoreBusy());
      else other.#send(sending);
    }
  }

  /** Closes the connection once nobody waits for it. What was sent again elsewhere isn't waited for: it may hang too. */
  async retire(): Promise<void> {
    if (this.#isAwaited())
      await new Promise<void>(resolve => {
        this.#onUnawaited = resolve;
      });
    if (this.#inFlight.all.length === 0) return this.close();
    this.#closed = true;
    const client = await this.#client?.catch(() => undefined);
    client?.connection.stream.destroy();
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

  #send(sending: Sending): void {
    sending.over = this;
    sending.sentAt = performance.now();
    this.#inFlight.add(sending);
    this.#query(sending.statement).then(
      rows => {
        this.#breaker.succeeded();
        this.#answered(sending);
        if (sending.over === this) sending.resolve(rows);
      },
      (error: Error) => {
        this.#answered(sending);
        if (error instanceof DatabaseError) this.#count(error);
        if (sending.over !== this) return;
        sending.reject(new StoreUnavailable(`PostgreSQL: ${inOneLine(error.message)}`, { cause: error }));
      },
    );
  }

  async #query({ name, text, values }: Statement): Promise<unknown[][]> {
    const client = await this.#connected();
    const { rows } = await client.query<unknown[]>({ name, text, values: [...values], rowMode: 'array' });
    return rows;
  }

  /** What PostgreSQL refuses by itself is an answer. A statement that it cancelled, or whose node can't be reached, is none. */
  #count({ code = '', message }: DatabaseError): void {
    if (/^(08|57)/.test(code)) this.#breaker.failed(inOneLine(message));
    else this.#breaker.succeeded();
  }

  #answered(sending: Sending): void {
    this.#inFlight.remove(sending);
    if (this.#onUnawaited && !this.#isAwaited()) this.#onUnawaited();
  }

  #isAwaited(): boolean {
    return this.#inFlight.all.some(sending => sending.over === this);
  }

  #connected(): Promise<Client> {
    if (this.#closed) throw new Error('the store is closed');
    if (this.#client) return this.#client;
    const opening = this.#open(() => {
      if (this.#client !== opening) return;
      this.#client = undefined;
      this.#inFlight.stop();
    });
    this.#client = opening;
    return opening;
  }

  async #open(discard: () => void): Promise<Client> {
    let client: Client | undefined;
    let isLost = false;
    const lost = (error?: Error) => {
      discard();
      if (!isLost && !this.#closed) this.#breaker.failed(error?.message ?? 'the connection was closed');
      isLost = true;
    };
    try {
      const options = {
        pipeline: true,
        query_timeout: RESPONSE_TIMEOUT_MS,
        maxAnswerBytes: MAX_ANSWER_BYTES,
      };
      client = await connect(this.#url, options);
      await client.query(READER_SETTINGS);
      client.once('error', lost);
      client.once('end', lost);
      this.#inFlight.startHead();
      return client;
    } catch (error) {
      lost(error as Error);
      client?.end().catch(() => {});
      throw error;
    }
  }
}

/** Citus adds what a node says behind a line break. */
function inOneLine(message: string): string {
  return message.replaceAll(/\s+/g, ' ');
}

/** A part is slow when one of its statements takes longer by itself, or those of a second in sum. A page takes under a millisecond. */
const SLOW_MS = 250;
const WINDOW_MS = 1_000;
/** Shorter ones aren't added up: that would take time for each page. */
const NOTICED_MS = 10;

interface OnTheWay {
  /** What it reads from: see `Place`. */
  readonly part: string;
}

/** The statements on one connection, in the order in which PostgreSQL answers them, and how long it has been at the first of them. */
class InFlight<T extends OnTheWay> {
  readonly #all: T[] = [];
  readonly #onSlow: (part: string, isOver: boolean) => void;
  /** While PostgreSQL can't work at it, as there is no connection yet, not at all. */
  #headSince = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** How long the statements of each part have taken in this window. */
  readonly #taken = new Map<string, number>();
  #windowEnd = 0;

  /** `onSlow` is called while a statement takes too long, and when one ends whose part is slow. */
  constructor(onSlow: (part: string, isOver: boolean) => void) {
    this.#onSlow = onSlow;
  }

  /** Oldest first. */
  get all(): readonly T[] {
    return this.#all;
  }

  add(statement: T): void {
    const isConnected = this.#headSince !== Number.POSITIVE_INFINITY;
    if (this.#all.push(statement) === 1 && isConnected) this.startHead();
  }

  remove(statement: T): void {
    const isHead = statement === this.#all[0];
    const now = performance.now();
    if (isHead && now - this.#headSince >= NOTICED_MS) this.#addUp(statement.part, now);
    this.#all.splice(this.#all.indexOf(statement), 1);
    if (isHead && this.#headSince !== Number.POSITIVE_INFINITY) this.startHead();
  }

  /** From now on PostgreSQL works at the first. One timer is for many statements: to set one for each would take longer. */
  startHead(): void {
    this.#headSince = performance.now();
    if (this.#all.length > 0) this.#timer ??= this.#lookIn(SLOW_MS);
  }

  /** The connection is lost. */
  stop(): void {
    this.#headSince = Number.POSITIVE_INFINITY;
  }

  #addUp(part: string, now: number): void {
    if (now > this.#windowEnd) {
      this.#taken.clear();
      this.#windowEnd = now + WINDOW_MS;
    }
    const taken = (this.#taken.get(part) ?? 0) + now - this.#headSince;
    this.#taken.set(part, taken);
    if (taken >= SLOW_MS) this.#onSlow(part, true);
  }

  #isSlow(): boolean {
    return performance.now() - this.#headSince >= SLOW_MS;
  }

  /** After a timer Node hasn't read yet what arrived while it was busy. By the next `setImmediate` it has. */
  #lookIn(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => setImmediate(() => this.#lookAtHead()), milliseconds).unref();
  }

  #lookAtHead(): void {
    this.#timer = undefined;
    const [head] = this.#all;
    if (!head || this.#headSince === Number.POSITIVE_INFINITY) return;
    if (this.#isSlow()) this.#onSlow(head.part, false);
    else this.#timer = this.#lookIn(Math.max(0, this.#headSince + SLOW_MS - performance.now()));
  }
}
