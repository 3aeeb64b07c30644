import { MAX_KEYS_BEING_READ, MAX_KEYS_STUCK, MAX_WAIT_TO_READ_MS, STUCK_AFTER_MS } from './limits.ts';
import { overloadError } from './overload.ts';

/** A page that the store is reading, or that waits for its turn. */
export interface PageBeingRead {
  /** To be waited for before the page is read, if it is there. */
  readonly turn: Promise<void> | undefined;
  /** Call once when the page is sent or has failed. */
  end(): void;
}

interface Read {
  readonly keys: number;
  since: number;
  /** Absent once it has its turn. */
  start?: (() => void) | undefined;
}

/**
 * Limits the memory of pages that are being read, by the number of keys that were requested; others wait. A read that takes long hangs
 * in the store, where it takes no memory: it makes room for those of other organizations.
 */
export class PagesBeingRead {
  /** With their turn, oldest first. */
  readonly #reads = new Set<Read>();
  readonly #stuck = new Set<Read>();
  readonly #waiting: Read[] = [];
  #keys = 0;
  #keysStuck = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Throws a 503 when the read would wait too long. */
  begin(keys: number): PageBeingRead {
    const now = performance.now();
    const read: Read = { keys, since: now };
    const end = () => this.#end(read);
    if (this.#waiting.length === 0 && this.#hasRoomFor(keys)) {
      this.#read(read);
      return { turn: undefined, end };
    }
    const [oldest] = this.#waiting;
    if (oldest && now - oldest.since > MAX_WAIT_TO_READ_MS) throw overloadError();
    const turn = new Promise<void>(start => {
      read.start = start;
    });
    this.#waiting.push(read);
    this.#timer ??= setTimeout(() => this.#startWaiting(), STUCK_AFTER_MS).unref();
    return { turn, end };
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
      this.#keysStuck += read.keys;
    }
  }

  #read(read: Read): void {
    read.since = performance.now();
    this.#reads.add(read);
    this.#keys += read.keys;
    read.start?.();
  }

  #end(read: Read): void {
    if (this.#stuck.delete(read)) this.#keysStuck -= read.keys;
    else if (this.#reads.delete(read)) this.#keys -= read.keys;
    this.#startWaiting();
  }

  #startWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (let next = this.#waiting[0]; next && this.#hasRoomFor(next.keys); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#read(next);
    }
    if (this.#waiting.length > 0)
      this.#timer = setTimeout(() => this.#startWaiting(), STUCK_AFTER_MS).unref();
  }
}
