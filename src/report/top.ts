/** Negative where `a` comes before `b`; never 0 for two that differ. */
export type Order<Item> = (a: Item, b: Item) => number;

/**
 * The first few of many items, kept while they are counted, so that showing them never walks or sorts all. `raise` must be
 * called for each item that comes or changes. A change may only move an item forward in the order: so an item that was left
 * out stays out until it is raised itself.
 */
export class Top<Item> {
  readonly #max: number;
  readonly #order: Order<Item>;
  readonly #items: Item[] = [];

  constructor(max: number, order: Order<Item>) {
    this.#max = max;
    this.#order = order;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  raise(item: Item): void {
    const items = this.#items;
    const last = items[this.#max - 1];
    if (last !== undefined && last !== item && this.#order(last, item) < 0) return;
    const found = items.indexOf(item);
    const from = found >= 0 ? found : Math.min(items.length, this.#max - 1);
    const to = this.#placeOf(item, from);
    for (let place = from; place > to; place--) items[place] = items[place - 1] as Item;
    items[to] = item;
  }

  /** How many of the first `end` items come before this one. */
  #placeOf(item: Item, end: number): number {
    let [low, high] = [0, end];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#order(this.#items[middle] as Item, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
