import { setTimeout } from 'node:timers/promises';
import { type DeclaredField, NO_FIELDS } from '../../roster/declared-fields.ts';

/** A field that is declared or removed is seen within this time. */
const KNOWN_FOR_MS = 1_000;
/** While the fields can't be read in time, pages have those that were known: pages may well be read. */
const MAX_WAIT_MS = 250;

/** The declared fields, read at most once a second: before each page they would be a second statement. */
export class KnownFields {
  readonly #read: () => Promise<readonly DeclaredField[]>;
  #known: readonly DeclaredField[];
  #askedAt = performance.now();
  #asked: Promise<unknown> | undefined;

  constructor(read: () => Promise<readonly DeclaredField[]>, known: readonly DeclaredField[] = NO_FIELDS) {
    this.#read = read;
    this.#known = known;
  }

  /** Not a promise where nothing has to be waited for. */
  current(): readonly DeclaredField[] | Promise<readonly DeclaredField[]> {
    const age = performance.now() - this.#askedAt;
    if (this.#asked) return age < MAX_WAIT_MS ? this.#inTime(this.#asked) : this.#known;
    return age < KNOWN_FOR_MS ? this.#known : this.#inTime(this.#ask());
  }

  /** Reads them now. Throws what reading throws. */
  async refresh(): Promise<readonly DeclaredField[]> {
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

  async #inTime(asked: Promise<unknown>): Promise<readonly DeclaredField[]> {
    await Promise.race([asked, setTimeout(MAX_WAIT_MS, undefined, { ref: false })]);
    return this.#known;
  }
}
