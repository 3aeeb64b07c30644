import { ApiError } from './errors.ts';
import { MAX_KEYS_BEING_READ, MAX_WAIT_TO_READ_MS, SHED_RETRY_AFTER_SECONDS } from './limits.ts';
import { overloadError } from './overload.ts';

/** Of the memory for all unread pages, the part that those of one caller may take. */
const SHARE_OF_CALLER = 1 / 4;

interface WaitingRead {
  readonly since: number;
  readonly keys: number;
  start(): void;
}

/**
 * Limits the memory of pages that clients request and don't read. A page counts from when it is sent until the operating system
 * has taken it all. How large a page will be is only known when it is read; so the pages that are being read are limited too,
 * by the number of keys that were requested, and others wait.
 */
export class UnreadAnswers {
  readonly #maxBytes: number;
  #bytes = 0;
  /** By caller; only those that have some. */
  readonly #bytesOf = new Map<string, number>();
  #keysBeingRead = 0;
  readonly #waiting: WaitingRead[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes of all pages that aren't read yet. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Call before a page of up to this many keys is read, and wait for what it returns, if anything. Throws a 429 when the caller
   * has too many unread pages, and a 503 when all together have, or when the read would wait too long.
   */
  begin(caller: string, keys: number): Promise<void> | undefined {
    this.#refuseBeyondMax(caller);
    if (this.#waiting.length > 0 || !this.#hasRoomFor(keys)) return this.#turn(caller, keys);
    this.#keysBeingRead += keys;
    return undefined;
  }

  /** Call when the page is sent or has failed, unless `begin` threw. */
  end(keys: number): void {
    this.#keysBeingRead -= keys;
    for (let next = this.#waiting[0]; next && this.#hasRoomFor(next.keys); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#keysBeingRead += next.keys;
      next.start();
    }
  }

  /** Counts the bytes that the operating system hasn't taken of the page that was just sent, until what it returns is called. */
  sent(caller: string, bytes: number): () => void {
    if (bytes === 0) return () => {};
    this.#add(caller, bytes);
    return () => this.#add(caller, -bytes);
  }

  #add(caller: string, bytes: number): void {
    this.#bytes += bytes;
    const sum = (this.#bytesOf.get(caller) ?? 0) + bytes;
    if (sum > 0) this.#bytesOf.set(caller, sum);
    else this.#bytesOf.delete(caller);
  }

  #refuseBeyondMax(caller: string): void {
    if (this.#bytes === 0) return;
    if ((this.#bytesOf.get(caller) ?? 0) >= this.#maxBytes * SHARE_OF_CALLER) throw tooManyUnread();
    if (this.#bytes >= this.#maxBytes) throw overloadError();
  }

  #hasRoomFor(keys: number): boolean {
    return this.#keysBeingRead + keys <= MAX_KEYS_BEING_READ;
  }

  /** Waits behind earlier reads until these keys may be read; they count as being read then. */
  async #turn(caller: string, keys: number): Promise<void> {
    const since = performance.now();
    const [oldest] = this.#waiting;
    if (oldest && since - oldest.since > MAX_WAIT_TO_READ_MS) throw overloadError();
    await new Promise<void>(start => this.#waiting.push({ since, keys, start }));
    try {
      this.#refuseBeyondMax(caller);
    } catch (error) {
      this.end(keys);
      throw error;
    }
  }
}

function tooManyUnread(): ApiError {
  const message = 'unread answers: too many of this caller; read them, and try again';
  return new ApiError(429, message, { 'retry-after': SHED_RETRY_AFTER_SECONDS });
}
