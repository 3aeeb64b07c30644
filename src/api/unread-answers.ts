import { ApiError } from './errors.ts';
import { SHED_RETRY_AFTER_SECONDS } from './limits.ts';
import { overloadError } from './overload.ts';
import { type PageBeingRead, PagesBeingRead } from './pages-being-read.ts';

/** Of the memory for all unread pages, the part that those of one caller may take. */
const SHARE_OF_CALLER = 1 / 4;

/**
 * Limits the memory of pages that clients request and don't read. A page counts from when it is sent until the operating system
 * has taken it all. How large a page will be is only known when it is read; so the pages that are being read are limited too.
 */
export class UnreadAnswers {
  readonly #maxBytes: number;
  #bytes = 0;
  /** By caller; only those that have some. */
  readonly #bytesOf = new Map<string, number>();
  readonly #reads = new PagesBeingRead();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes of all pages that aren't read yet. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Call before a page of up to this many keys is read. Throws a 429 when the caller has too many unread pages, and a 503 when all
   * together have, or when the read would wait too long. Its turn throws the same.
   */
  begin(caller: string, organization: string, keys: number): PageBeingRead {
    this.#refuseBeyondMax(caller);
    const { turn, end } = this.#reads.begin(organization, keys);
    const later = turn?.then(() => {
      try {
        this.#refuseBeyondMax(caller);
      } catch (error) {
        end();
        throw error;
      }
    });
    return { turn: later, end };
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
}

function tooManyUnread(): ApiError {
  const message = 'unread answers: too many of this caller; read them, and try again';
  return new ApiError(429, message, { 'retry-after': SHED_RETRY_AFTER_SECONDS });
}
