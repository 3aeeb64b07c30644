import { limitOf } from './load-page.ts';
import { type RosterQuery, textOf, withoutCursor } from './query.ts';
import type { Walk } from './walk.ts';
import { type WalkSource, walkOfQuery } from './walk-of-query.ts';

/** By query without a cursor: the key before the oldest page, so that the second way there is one request. */
export interface OldestPages {
  readonly oldestPages: Map<string, string>;
}

/** The oldest page of a list that was walked to its end before in this session; `undefined`: it wasn't. */
export function knownOldestPage({ oldestPages }: OldestPages, query: RosterQuery): RosterQuery | undefined {
  const after = oldestPages.get(textOf(withoutCursor(query)));
  return after === undefined ? undefined : pageAfter(query, after);
}

/**
 * The operation has no cursor for the end of a list: this reads all of its keys, and keeps the last ones. `page` gives the oldest
 * page once the walk is complete. Throws an `AddressError`.
 */
export function walkToOldest(
  session: WalkSource & OldestPages,
  query: RosterQuery,
): { walk: Walk; page: () => RosterQuery } {
  const limit = limitOf(query);
  const list = withoutCursor(query);
  let last: readonly string[] = [];
  const walk = walkOfQuery(session, list, keys => {
    last = [...last, ...keys.map(({ id }) => id)].slice(-limit - 1);
    return false;
  });
  const page = () => {
    const [after] = last;
    if (after === undefined || last.length <= limit) return list;
    session.oldestPages.set(textOf(list), after);
    return pageAfter(query, after);
  };
  return { walk, page };
}

const pageAfter = (query: RosterQuery, after_id: string) => ({ ...withoutCursor(query), after_id });
