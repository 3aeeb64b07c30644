import { ShardedMap } from './sharded-map.ts';
import { GroupCounts } from './status-counts.ts';
import { MAX_TOP } from './tally.ts';
import { type Order, Top } from './top.ts';

/** The SHA-256 digest of a text in UTF-8. Node and the browser have it from different libraries. */
export type Sha256 = (text: string) => Uint8Array;

/** Bytes that are kept of a digest. No two names are known that agree in 128 bits, so equal digests are equal names. */
const DIGEST_BYTES = 16;

/**
 * Finds the names that more than one key has. There may be a million names of up to 1,000 characters, so a name that
 * came once is kept as a digest; the text is kept from the second time on.
 */
export class RepeatedNames {
  readonly #sha256: Sha256;
  /** By the digest of the name: the status of the first key with it, until there is a second one. */
  readonly #names = new ShardedMap<string, string | GroupCounts<string>>();
  readonly #top = new Top<GroupCounts<string>>(MAX_TOP, mostKeysFirst);
  #size = 0;

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  add(name: string, status: string): void {
    const digest = this.#digestOf(name);
    let known = this.#names.get(digest);
    if (known === undefined) {
      this.#names.set(digest, status);
      return;
    }
    if (typeof known === 'string') {
      known = countsOf(name, known);
      this.#names.set(digest, known);
      this.#size += 1;
    }
    known.add(status);
    this.#top.raise(known);
  }

  /** The keys with this name, be it only one. */
  of(name: string): GroupCounts<string> | undefined {
    const known = this.#names.get(this.#digestOf(name));
    return typeof known === 'string' ? countsOf(name, known) : known;
  }

  /** How many names are repeated. */
  get size(): number {
    return this.#size;
  }

  /** Those with the most keys first. */
  get top(): readonly GroupCounts<string>[] {
    return this.#top.items;
  }

  /** All, in the order of `top`. Takes long for many names. */
  sorted(): GroupCounts<string>[] {
    const repeated = [...this.#names.values()].filter(known => typeof known !== 'string');
    return repeated.sort(mostKeysFirst);
  }

  /** As a string of one byte a character, since a `Map` compares strings by their content. */
  #digestOf(name: string): string {
    return String.fromCharCode(...this.#sha256(name).subarray(0, DIGEST_BYTES));
  }
}

const mostKeysFirst: Order<GroupCounts<string>> = (a, b) =>
  b.keys - a.keys || b.active - a.active || (a.group < b.group ? -1 : 1);

function countsOf(name: string, status: string): GroupCounts<string> {
  const counts = new GroupCounts(name);
  counts.add(status);
  return counts;
}
