import { DigestTable } from './digest-table.ts';
import { GroupCounts } from './status-counts.ts';
import { MAX_TOP } from './tally.ts';
import { type Order, Top } from './top.ts';

/** The SHA-256 digest of a text in UTF-8. Node and the browser have it from different libraries. */
export type Sha256 = (text: string) => Uint8Array;

/**
 * Finds the names that more than one key has. There may be a million names of up to 1,000 characters, so a name that
 * came once is kept as a digest; the text is kept from the second time on.
 */
export class RepeatedNames {
  readonly #sha256: Sha256;
  /** By the digest of a name, where in `#known` it is. */
  readonly #names = new DigestTable();
  /** The status of the key that alone has a name; for a name of more keys, their counts. */
  readonly #known: (string | GroupCounts<string>)[] = [];
  readonly #statuses = new Map<string, number>();
  readonly #top = new Top<GroupCounts<string>>(MAX_TOP, mostKeysFirst);
  #size = 0;

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  add(name: string, status: string): void {
    const digest = this.#digestOf(name);
    const index = this.#names.get(digest);
    if (index === undefined) {
      this.#names.set(digest, this.#indexOf(status));
      return;
    }
    let known = this.#known[index] as string | GroupCounts<string>;
    if (typeof known === 'string') {
      known = countsOf(name, known);
      this.#names.set(digest, this.#known.push(known) - 1);
      this.#size += 1;
    }
    known.add(status);
    this.#top.raise(known);
  }

  /** The keys with this name, be it only one. */
  of(name: string): GroupCounts<string> | undefined {
    const index = this.#names.get(this.#digestOf(name));
    const known = index === undefined ? undefined : this.#known[index];
    return typeof known === 'string' ? countsOf(name, known) : known;
  }

  /** UTF-8 has one form for all broken surrogates. No name has NUL, so the other form can't be another name's. */
  #digestOf(name: string): Uint8Array {
    return this.#sha256(name.isWellFormed() ? name : `\0${JSON.stringify(name)}`);
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
    return this.#known.filter(known => typeof known !== 'string').sort(mostKeysFirst);
  }

  /** All names of one key of this status share it. */
  #indexOf(status: string): number {
    let index = this.#statuses.get(status);
    if (index === undefined) {
      index = this.#known.push(status) - 1;
      this.#statuses.set(status, index);
    }
    return index;
  }
}

const mostKeysFirst: Order<GroupCounts<string>> = (a, b) =>
  b.keys - a.keys || b.active - a.active || (a.group < b.group ? -1 : 1);

function countsOf(name: string, status: string): GroupCounts<string> {
  const counts = new GroupCounts(name);
  counts.add(status);
  return counts;
}
