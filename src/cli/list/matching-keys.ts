import type { ApiKeyRecord } from '../../client/client.ts';
import type { WalkedPage } from '../service/walk-pages.ts';
import type { LocalFilter } from './local-filters.ts';

interface MatchingOptions {
  readonly filters: readonly LocalFilter[];
  readonly direction: 'forwards' | 'backwards';
  /** How many keys the first batch has at least, unless there are fewer. */
  readonly least: number;
}

/** The keys of a walk that pass the filters, in the order of the walk, and how many were read for them. */
export class MatchingKeys {
  readonly #pages: AsyncIterable<WalkedPage>;
  readonly #options: MatchingOptions;
  /** How many keys were read so far. */
  read = 0;

  constructor(pages: AsyncIterable<WalkedPage>, options: MatchingOptions) {
    this.#pages = pages;
    this.#options = options;
  }

  /** In batches that aren't empty. Reads nothing more once no key can match. */
  async *[Symbol.asyncIterator](): AsyncGenerator<readonly ApiKeyRecord[], void> {
    const { direction, filters } = this.#options;
    let { least } = this.#options;
    let batch: ApiKeyRecord[] = [];
    for await (const { data } of this.#pages) {
      this.read += data.length;
      const keys = direction === 'backwards' ? data.toReversed() : data;
      const end = keys.findIndex(key => filters.some(filter => this.#ends(filter, key)));
      const matching = keys.slice(0, end < 0 ? keys.length : end);
      batch.push(...matching.filter(key => filters.every(({ matches }) => matches(key))));
      if (end >= 0) break;
      if (batch.length < least) continue;
      yield batch;
      batch = [];
      least = 1;
    }
    if (batch.length > 0) yield batch;
  }

  #ends({ ends, matches }: LocalFilter, key: ApiKeyRecord): boolean {
    return ends === this.#options.direction && !matches(key);
  }
}
