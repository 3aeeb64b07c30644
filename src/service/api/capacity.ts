import { ApiError, overloadError } from './errors.ts';
import {
  MAX_KEYS_BEING_READ,
  MAX_KEYS_STUCK,
  MAX_KEYS_STUCK_EACH,
  MAX_UNREAD_BYTES,
  MAX_WAIT_MS,
  MAX_WAIT_TO_READ_MS,
  SHED_RETRY_AFTER_SECONDS,
  STUCK_AFTER_MS,
  UNREAD_SHARE_OF_CALLER,
} from './limits.ts';

/** A page that the store is reading, or that waits for its turn. */
interface PageBeingRead {
  /** To be waited for before the page is read, if it is there. Rejects as `beginRead` throws. */
  readonly turn: Promise<void> | undefined;
  /** Call once when the page is sent or has failed. */
  end(): void;
}

interface Read {
  readonly caller: string;
  readonly organization: string;
  readonly keys: number;
  /** Since when it is waiting, or is being read, on the clock without pauses. */
  since: number;
  readonly turn?: PromiseWithResolvers<void>;
}

/** While reads wait. */
const LOOK_EVERY_MS = STUCK_AFTER_MS / 4;

/** When a connection got its latest answer. A property of the socket, because a `WeakMap` would slow garbage collection down. */
const answeredAt = Symbol('answeredAt');

type Connection = object & { [answeredAt]?: number };

/**
 * Refuses what would be too much: requests that have waited for too long behind others, and pages for which there is no memory.
 * A refusal costs far less than a page, so the other requests stay fast. The stores limit the wait for their reads themselves. It
 * counts keys and bytes, not requests, of which one may be 50 times another.
 */
export class Capacity {
  readonly #maxUnreadBytes: number;
  /** The bytes of pages that aren't read yet, by caller. */
  readonly #unread = new Sums();
  /** With their turn, oldest first. */
  readonly #reads = new Set<Read>();
  #keys = 0;
  /** Reads that take long hang in the store, where they take no memory: they make room for those of other organizations. */
  readonly #stuck = new Set<Read>();
  /** Their keys, by organization. */
  readonly #stuckKeys = new Sums();
  #waiting: Read[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** A clock that stands still while the whole process is paused, when no read goes on: none hangs then, or waits for another. */
  readonly #clock = { at: performance.now(), unpaused: 0 };
  /** This turn of the event loop: when it began, when its latest request was handled, the longest time between two. */
  #turn: { readonly began: number; latest: number; longestPause: number } | null = null;

  constructor(maxUnreadBytes = MAX_UNREAD_BYTES) {
    this.#maxUnreadBytes = maxUnreadBytes;
  }

  /** Throws a 503 when the request on this connection has waited too long. */
  refuseLate(connection: Connection): void {
    const now = performance.now();
    // The request can't have waited longer: its client sent it after the previous answer.
    const sinceAnswer = now - (connection[answeredAt] ?? Number.NEGATIVE_INFINITY);
    if (Math.min(sinceAnswer, this.#waitedInTurn(now)) > MAX_WAIT_MS) throw overloadError();
  }

  /** Call when an answer was sent on this connection. */
  answered(connection: Connection): void {
    connection[answeredAt] = performance.now();
  }

  /**
   * Call before a page of up to this many keys is read: how large it will be is only known then. Throws a 429 when the caller has too
   * many unread pages, and a 503 when all together have, when too many pages of the organization hang, or when the wait is too long.
   */
  beginRead(caller: string, organization: string, keys: number): PageBeingRead {
    this.#refuseUnread(caller);
    if (this.#hangs(organization)) throw overloadError();
    const asked = { caller, organization, keys, since: this.#unpaused() };
    if (this.#waiting.length === 0 && this.#hasRoomFor(keys)) {
      const read: Read = asked;
      this.#start(read);
      return { turn: undefined, end: () => this.#end(read) };
    }
    const read = { ...asked, turn: Promise.withResolvers<void>() };
    this.#waiting.push(read);
    this.#timer ??= this.#lookSoon();
    return { turn: read.turn.promise, end: () => this.#end(read) };
  }

  /** The bytes of all pages that clients haven't read yet. */
  get unreadBytes(): number {
    return this.#unread.total;
  }

  /** Counts the bytes that the operating system hasn't taken of the page that was just sent, until what it returns is called. */
  sent(caller: string, bytes: number): () => void {
    if (bytes === 0) return () => {};
    this.#unread.add(caller, bytes);
    return () => this.#unread.add(caller, -bytes);
  }

  /**
   * The longest that this request can have waited behind others: since the turn began. All requests that are ready run in one
   * turn, whose end an immediate marks. With many connections a turn can last for seconds, as the loop also takes those that
   * arrive meanwhile. The longest pause is subtracted: while the whole process was suspended, no queue built up.
   */
  #waitedInTurn(now: number): number {
    if (!this.#turn) {
      setImmediate(() => {
        this.#turn = null;
      });
      this.#turn = { began: now, latest: now, longestPause: 0 };
    }
    const turn = this.#turn;
    turn.longestPause = Math.max(turn.longestPause, now - turn.latest);
    turn.latest = now;
    return now - turn.began - turn.longestPause;
  }

  #refuseUnread(caller: string): void {
    if (this.#unread.total === 0) return;
    if (this.#unread.of(caller) >= this.#maxUnreadBytes * UNREAD_SHARE_OF_CALLER) {
      const message = 'unread answers: too many of this caller; read them, and try again';
      throw new ApiError(429, message, { 'retry-after': SHED_RETRY_AFTER_SECONDS });
    }
    if (this.#unread.total >= this.#maxUnreadBytes) throw overloadError();
  }

  #hangs(organization: string): boolean {
    return this.#stuckKeys.of(organization) >= MAX_KEYS_STUCK_EACH;
  }

  #hasRoomFor(keys: number): boolean {
    if (this.#keys + keys > MAX_KEYS_BEING_READ) this.#setStuckAside();
    return this.#keys + keys <= MAX_KEYS_BEING_READ;
  }

  #setStuckAside(): void {
    const begunBefore = this.#unpaused() - STUCK_AFTER_MS;
    for (const read of this.#reads) {
      if (read.since > begunBefore || this.#stuckKeys.total + read.keys > MAX_KEYS_STUCK) return;
      this.#reads.delete(read);
      this.#keys -= read.keys;
      this.#stuck.add(read);
      this.#stuckKeys.add(read.organization, read.keys);
    }
  }

  #start(read: Read): void {
    read.since = this.#unpaused();
    this.#reads.add(read);
    this.#keys += read.keys;
    read.turn?.resolve();
  }

  #end(read: Read): void {
    if (this.#stuck.delete(read)) this.#stuckKeys.add(read.organization, -read.keys);
    else if (this.#reads.delete(read)) this.#keys -= read.keys;
    if (this.#waiting.length > 0) this.#look();
  }

  #lookSoon(): NodeJS.Timeout {
    return setTimeout(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  /** Between two looks at it, any longer time was a pause. */
  #unpaused(): number {
    const clock = this.#clock;
    const now = performance.now();
    clock.unpaused += Math.min(now - clock.at, LOOK_EVERY_MS);
    clock.at = now;
    return clock.unpaused;
  }

  /** Starts what there is room for, in turn, and refuses what has waited too long, would hang, or has too much unread by now. */
  #look(): void {
    clearTimeout(this.#timer);
    const waitingBefore = this.#unpaused() - MAX_WAIT_TO_READ_MS;
    let isFull = false;
    this.#waiting = this.#waiting.filter(read => {
      isFull ||= !this.#hasRoomFor(read.keys);
      try {
        if (this.#hangs(read.organization) || (isFull && read.since < waitingBefore)) throw overloadError();
        if (isFull) return true;
        this.#refuseUnread(read.caller);
        this.#start(read);
      } catch (error) {
        read.turn?.reject(error);
      }
      return false;
    });
    this.#timer = this.#waiting.length > 0 ? this.#lookSoon() : undefined;
  }
}

/** A sum for each name that has one, and of all of them. */
class Sums {
  total = 0;
  readonly #sums = new Map<string, number>();

  of(name: string): number {
    return this.#sums.get(name) ?? 0;
  }

  add(name: string, amount: number): void {
    this.total += amount;
    const sum = this.of(name) + amount;
    if (sum > 0) this.#sums.set(name, sum);
    else this.#sums.delete(name);
  }
}
