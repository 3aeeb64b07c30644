import type { AdminKey } from '../../roster/admin-key.ts';
import type { StoreReader } from '../../roster/roster.ts';

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
}

/** Enough for thousands of organizations, each of which has a few admin keys. */
const MAX_CACHED = 10_000;

/**
 * Caches admin keys for some seconds, which saves one of a request's two statements. A revoked key works for at most that
 * long; an expired one is refused on time, as the caller checks the expiry. Unknown keys aren't cached, so a new key works at
 * once, and guessed keys take no memory.
 */
export function cachedAdminKeys(roster: StoreReader, seconds: number): StoreReader {
  if (seconds === 0) return roster;
  const cached = new ExpiringCache<string, AdminKey>({ ms: seconds * 1000, max: MAX_CACHED });
  return {
    ...roster,
    async findAdminKey(digest, at) {
      const cacheKey = Buffer.from(digest).toString('base64');
      const known = cached.get(cacheKey);
      if (known) return known;
      const since = performance.now(); // before the lookup, during which it may be revoked
      const key = await roster.findAdminKey(digest, at);
      if (key) cached.set(cacheKey, key, since);
      return key;
    },
  };
}
