import {
  MAX_KEYS_BEING_READ,
  MAX_KEYS_STUCK,
  MAX_KEYS_STUCK_EACH,
  MAX_WAIT_TO_READ_MS,
  STUCK_AFTER_MS,
} from './limits.ts';
import { overloadError } from './overload.ts';

/** A page that the store is reading, or that waits for its turn. */
export interface PageBeingRead {
  /** To be waited for before the page is read, if it is there. Rejects with a 503 when that takes too long. */
  readonly turn: Promise<void> | undefined;
  /** Call once when the page is sent or has failed. */
  end(): void;
}

interface Read {
  readonly organization: string;
  readonly keys: number;
  /** Since when it is waiting, or is being read. */
  since: number;
  readonly turn?: PromiseWithResolvers<void>;
}

/**
 * Limits the memory of pages that are being read, by the number of keys that were requested; others wait. A read that takes long hangs
 * in the store, where it takes no memory: it makes room for those of other organizations.
 */
export class PagesBeingRead {
  /** With their turn, oldest first. */
  readonly #reads = new Set<Read>();
  readonly #stuck = new Set<Read>();
  #waiting: Read[] = [];
  #keys = 0;
  #keysStuck = 0;
  /** By organization; only those that have some. */
  readonly #keysStuckOf = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  /** Throws a 503 when the organization has too many pages that hang. */
  begin(organization: string, keys: number): PageBeingRead {
    const since = performance.now();
    if (this.#hangs(organization)) throw overloadError();
    if (this.#waiting.length === 0 && this.#hasRoomFor(keys)) {
      const read: Read = { organization, keys, since };
      this.#read(read);
      return { turn: undefined, end: () => this.#end(read) };
    }
    const read = { organization, keys, since, turn: Promise.withResolvers<void>() };
    this.#waiting.push(read);
    this.#timer ??= this.#lookSoon();
    return { turn: read.turn.promise, end: () => this.#end(read) };
  }

  #hangs(organization: string): boolean {
    return (this.#keysStuckOf.get(organization) ?? 0) >= MAX_KEYS_STUCK_EACH;
  }

  #hasRoomFor(keys: number): boolean {
    if (this.#keys + keys > MAX_KEYS_BEING_READ) this.#setStuckAside();
    return this.#keys + keys <= MAX_KEYS_BEING_READ;
  }

  #setStuckAside(): void {
    const begunBefore = performance.now() - STUCK_AFTER_MS;
    for (const read of this.#reads) {
      if (read.since > begunBefore || this.#keysStuck + read.keys > MAX_KEYS_STUCK) return;
      this.#reads.delete(read);
      this.#keys -= read.keys;
      this.#stuck.add(read);
      this.#addStuck(read, read.keys);
    }
  }

  #addStuck({ organization }: Read, keys: number): void {
    this.#keysStuck += keys;
    const sum = (this.#keysStuckOf.get(organization) ?? 0) + keys;
    if (sum > 0) this.#keysStuckOf.set(organization, sum);
    else this.#keysStuckOf.delete(organization);
  }

  #read(read: Read): void {
    read.since = performance.now();
    this.#reads.add(read);
    this.#keys += read.keys;
    read.turn?.resolve();
  }

  #end(read: Read): void {
    if (this.#stuck.delete(read)) this.#addStuck(read, -read.keys);
    else if (this.#reads.delete(read)) this.#keys -= read.keys;
    this.#look();
  }

  #lookSoon(): NodeJS.Timeout {
    return setTimeout(() => this.#look(), STUCK_AFTER_MS).unref();
  }

  /** Starts what there is room for, in turn, and refuses what has waited too long or would hang. */
  #look(): void {
    clearTimeout(this.#timer);
    const waitingBefore = performance.now() - MAX_WAIT_TO_READ_MS;
    let isFull = false;
    this.#waiting = this.#waiting.filter(read => {
      isFull ||= !this.#hasRoomFor(read.keys);
      const isRefused = this.#hangs(read.organization) || (isFull && read.since < waitingBefore);
      if (isRefused) read.turn?.reject(overloadError());
      else if (!isFull) this.#read(read);
      return isFull && !isRefused;
    });
    this.#timer = this.#waiting.length > 0 ? this.#lookSoon() : undefined;
  }
}
