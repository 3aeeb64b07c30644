import type { AdminKey } from '../../roster/admin-key.ts';
import type { RosterReader } from '../../roster/roster.ts';

/** Callers are few: an organization has a handful of admin keys. */
const MAX_CACHED = 10_000;

/**
 * Caches admin keys for some seconds, so that a request is one statement and not two. A revoked key works for at most that
 * long. One that expires ends on time, as the caller checks that. Keys that aren't found aren't cached: a new one works at
 * once, and guesses take no memory.
 */
export function cachedAdminKeys(roster: RosterReader, seconds: number): RosterReader {
  if (seconds === 0) return roster;
  const cached = new Map<string, { key: AdminKey; until: number }>();
  return {
    ...roster,
    async findAdminKey(digest, at) {
      const cacheKey = Buffer.from(digest).toString('base64');
      const known = cached.get(cacheKey);
      if (known && performance.now() < known.until) return known.key;
      cached.delete(cacheKey);
      const key = await roster.findAdminKey(digest, at);
      if (!key) return null;
      for (const oldest of cached.keys()) {
        if (cached.size < MAX_CACHED) break;
        cached.delete(oldest);
      }
      cached.set(cacheKey, { key, until: performance.now() + seconds * 1000 });
      return key;
    },
  };
}
