import { type ListedKey, timeOf } from './listed-key.ts';

/** `time` is NaN until a record tells one. */
interface Place {
  readonly id: string;
  readonly time: number;
}

/** The orders that can be seen: more than 0 where the second place comes later, 0 or NaN where it may be either way. */
const ORDERS: readonly ((before: Place, next: Place) => number)[] = [
  (before, next) => before.time - next.time,
  (before, next) => next.time - before.time,
  (before, next) => (before.id < next.id ? 1 : -1),
  (before, next) => (before.id > next.id ? 1 : -1),
];

/** When so many IDs are remembered and an order was kept, the order tells a record that came before: only those of one time are kept. */
const ENOUGH = 10_000;

/**
 * Tells the records of a walk that came before. The order is the service's: newest first, oldest first, by ID, or none that can be
 * seen. Only in the last case, or where many keys have one time, memory grows with the roster.
 */
export class WalkOrder {
  readonly #isBackward: boolean;
  readonly #seen: Set<string>;
  #orders = ORDERS;
  #last: Place | undefined;
  #hasForgotten = false;

  /** @param seen what came before its first record. */
  constructor(isBackward: boolean, seen: readonly string[]) {
    this.#isBackward = isBackward;
    this.#seen = new Set(seen);
  }

  /** The records of a page that are new, in its order; `null`: they break the order, so that nobody can tell. */
  newOf<Record extends ListedKey>(page: readonly Record[]): Record[] | null {
    const fresh: Record[] = [];
    const isSeen = (id: string) => id === this.#last?.id || (this.#seen.size > 0 && this.#seen.has(id));
    for (const record of this.#isBackward ? page.toReversed() : page) {
      if (isSeen(record.id)) continue;
      if (!this.#goesOn(record)) return null;
      fresh.push(record);
    }
    return this.#isBackward ? fresh.reverse() : fresh;
  }

  #goesOn({ id, created_at }: ListedKey): boolean {
    const last = this.#last;
    const time = timeOf(created_at);
    const place = { id, time: Number.isNaN(time) && last ? last.time : time };
    this.#last = place;
    if (!last) return true;
    let isLater = this.#orders.length > 0;
    for (const order of this.#orders) {
      const way = order(last, place);
      if (way < 0) this.#orders = this.#orders.filter(each => each !== order);
      isLater &&= way > 0;
    }
    if (!isLater || (!this.#hasForgotten && this.#seen.size < ENOUGH)) this.#seen.add(last.id);
    else {
      this.#hasForgotten = true;
      if (this.#seen.size > 0) this.#seen.clear();
    }
    return this.#orders.length > 0 || !this.#hasForgotten;
  }
}
