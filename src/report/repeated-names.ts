import { hash } from 'node:crypto';

/** Bytes that are kept of a SHA-256 digest. No two names are known that agree in 128 bits, so equal digests are equal names. */
const DIGEST_BYTES = 16;

export interface RepeatedName {
  readonly name: string;
  readonly keys: number;
  readonly active: number;
}

/**
 * Finds the names that more than one key has. There may be a million names of up to 1,000 characters, so a name that
 * came once is kept as a digest; the text is kept from the second time on.
 */
export class RepeatedNames {
  /** By the digest of the name: whether the first key with it is active. */
  readonly #first = new Map<string, boolean>();
  readonly #repeated = new Map<string, { keys: number; active: number }>();

  add(name: string, active: boolean): void {
    const digest = digestOf(name);
    const firstActive = this.#first.get(digest);
    if (firstActive === undefined) {
      this.#first.set(digest, active);
      return;
    }
    const count = this.#repeated.get(name) ?? { keys: 1, active: firstActive ? 1 : 0 };
    count.keys += 1;
    if (active) count.active += 1;
    this.#repeated.set(name, count);
  }

  /** Those with the most keys first. */
  sorted(): RepeatedName[] {
    const names = Array.from(this.#repeated, ([name, count]) => ({ name, ...count }));
    return names.sort((a, b) => b.keys - a.keys || b.active - a.active || (a.name < b.name ? -1 : 1));
  }
}

/** As a string of one byte a character, since a `Map` compares strings by their content. */
function digestOf(name: string): string {
  return hash('sha256', name, 'buffer').toString('latin1', 0, DIGEST_BYTES);
}
