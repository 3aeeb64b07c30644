import { setTimeout } from 'node:timers/promises';
import type { PageTable } from '../vendor-table/own-table.ts';

/** What changes the table is seen within this time. */
const KNOWN_FOR_MS = 1_000;
/** While it can't be looked at in time, pages take what was known: pages may well be read. */
const MAX_WAIT_MS = 250;

/** What the table is, looked at once a second at most: before each page that would be a second statement. */
export class KnownTable {
  readonly #read: () => Promise<PageTable>;
  #known: PageTable;
  #askedAt = performance.now();
  #asked: Promise<unknown> | undefined;

  constructor(read: () => Promise<PageTable>, known: PageTable) {
    this.#read = read;
    this.#known = known;
  }

  /** Not a promise where nothing has to be waited for. */
  current(): PageTable | Promise<PageTable> {
    const age = performance.now() - this.#askedAt;
    if (this.#asked) return age < MAX_WAIT_MS ? this.#inTime(this.#asked) : this.#known;
    return age < KNOWN_FOR_MS ? this.#known : this.#inTime(this.#ask());
  }

  /** Looks now. Throws what reading throws. */
  async refresh(): Promise<PageTable> {
    this.#known = await this.#read();
    return this.#known;
  }

  #ask(): Promise<unknown> {
    this.#askedAt = performance.now();
    this.#asked = this.refresh()
      .catch(() => {}) // a page has an error of its own
      .finally(() => {
        this.#asked = undefined;
      });
    return this.#asked;
  }

  async #inTime(asked: Promise<unknown>): Promise<PageTable> {
    await Promise.race([asked, setTimeout(MAX_WAIT_MS, undefined, { ref: false })]);
    return this.#known;
  }
}
