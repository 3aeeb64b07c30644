/** Keeps values for a while, and at most so many: beyond that the one that was stored first is evicted. */
export class ExpiringCache<Key, Value> {
  readonly #ms: number;
  readonly #max: number;
  readonly #entries = new Map<Key, { readonly value: Value; readonly until: number }>();

  constructor({ ms, max }: { ms: number; max: number }) {
    this.#ms = ms;
    this.#max = max;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry && performance.now() < entry.until) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** @param since when the value was known to be right, by `performance.now()`. */
  set(key: Key, value: Value, since: number): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < this.#max) break;
      this.#entries.delete(oldest);
    }
    this.#entries.set(key, { value, until: since + this.#ms });
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
