import { ExpiringCache } from '../../expiring-cache.ts';
import type { AdminKey } from '../../roster/admin-key.ts';
import type { StoreReader } from '../../roster/pages/reader.ts';

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
