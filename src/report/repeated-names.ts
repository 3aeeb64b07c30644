import { GroupCounts } from './status-counts.ts';
import { MAX_TOP } from './tally.ts';
import { type Order, Top } from './top.ts';

/** Finds the names that more than one key has. */
export class RepeatedNames {
  /** The status of the key that alone has a name; for a name of more keys, their counts. */
  readonly #names = new Map<string, string | GroupCounts<string>>();
  readonly #top = new Top<GroupCounts<string>>(MAX_TOP, mostKeysFirst);
  #size = 0;

  add(name: string, status: string): void {
    let known = this.#names.get(name);
    if (known === undefined) {
      this.#names.set(name, status);
      return;
    }
    if (typeof known === 'string') {
      known = countsOf(name, known);
      this.#names.set(name, known);
      this.#size += 1;
    }
    known.add(status);
    this.#top.raise(known);
  }

  /** The keys with this name, be it only one. */
  of(name: string): GroupCounts<string> | undefined {
    const known = this.#names.get(name);
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
    return [...this.#names.values()].filter(known => typeof known !== 'string').sort(mostKeysFirst);
  }
}

const mostKeysFirst: Order<GroupCounts<string>> = (a, b) =>
  b.keys - a.keys || b.active - a.active || (a.group < b.group ? -1 : 1);

function countsOf(name: string, status: string): GroupCounts<string> {
  const counts = new GroupCounts(name);
  counts.add(status);
  return counts;
}
