import type { AdminKey } from '../roster/admin-key.ts';
import type { RosterReader } from '../roster/roster.ts';

/** Callers are few: an organization has a handful of admin keys. */
const MAX_CACHED = 10_000;

/**
 * The same reader, which remembers an admin key for some seconds: a request is then one statement and not two. A key
 * that is revoked works for at most that long; one that expires ends on time, as the caller judges that. Keys that
 * aren't found aren't remembered: a new one works at once, and guesses take no memory.
 */
export function cacheAdminKeys(roster: RosterReader, seconds: number): RosterReader {
  if (seconds === 0) return roster;
  const cached = new Map<string, { key: AdminKey; until: number }>();
  return {
    ...roster,
    async findAdminKey(digest, at) {
      const name = Buffer.from(digest).toString('base64');
      const known = cached.get(name);
      if (known && performance.now() < known.until) return known.key;
      cached.delete(name);
      const key = await roster.findAdminKey(digest, at);
      if (!key) return null;
      for (const oldest of cached.keys()) {
        if (cached.size < MAX_CACHED) break;
        cached.delete(oldest);
      }
      cached.set(name, { key, until: performance.now() + seconds * 1000 });
      return key;
    },
  };
}
