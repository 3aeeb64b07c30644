/** With 1,000,000 entries each map has about 4,000, which grow in a fraction of a millisecond. */
const SHARDS = 256;

/**
 * A `Map` that may have an entry for each key of a roster. One big `Map` stops its thread for longer than a frame whenever it
 * grows; here small ones grow one at a time.
 */
export class ShardedMap<Key extends string | null, Value> {
  readonly #shards = Array.from({ length: SHARDS }, () => new Map<Key, Value>());
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: Key): Value | undefined {
    return this.#shardOf(key).get(key);
  }

  set(key: Key, value: Value): void {
    const shard = this.#shardOf(key);
    const before = shard.size;
    shard.set(key, value);
    this.#size += shard.size - before;
  }

  *values(): Generator<Value> {
    for (const shard of this.#shards) yield* shard.values();
  }

  #shardOf(key: Key): Map<Key, Value> {
    let hash = 0;
    for (let index = 0; key !== null && index < key.length; index++)
      hash = (hash * 31 + key.charCodeAt(index)) | 0;
    return this.#shards[hash & (SHARDS - 1)] as Map<Key, Value>;
  }
}
