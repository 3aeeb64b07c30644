import { limitOf } from './load-page.ts';
import { type RosterQuery, textOf, withoutCursor } from './query.ts';
import type { Guess, Walk } from './walk.ts';
import { type WalkSource, walkOfQuery } from './walk-of-query.ts';

/** By query without a cursor: the key before its oldest page, as a walk of this session found it. The next one begins there. */
export interface OldestPages {
  readonly oldestPages: Map<string, string>;
}

/**
 * The operation has no cursor for the end of a list: this reads all of its keys, or those behind the oldest page that is known, and keeps
 * the last ones. Once the walk is complete, `page` gives the oldest page; `undefined`: no key is left where it began, so that another walk
 * has to find it, which begins at the newest key. Throws an `AddressError`.
 */
export function walkToOldest(
  session: WalkSource & OldestPages,
  query: RosterQuery,
): { walk: Walk; page: () => RosterQuery | undefined } {
  const { oldestPages } = session;
  const limit = limitOf(query);
  const list = withoutCursor(query);
  const known = oldestPages.get(textOf(list));
  const forget = () => oldestPages.delete(textOf(list));
  const guess: Guess | undefined = known === undefined ? undefined : { after_id: known, onGone: forget };
  let last: readonly string[] = [];
  const walk = walkOfQuery(
    session,
    list,
    keys => {
      last = [...last, ...keys.map(({ id }) => id)].slice(-limit - 1);
      return false;
    },
    guess,
  );
  const page = () => {
    if (last.length > limit) oldestPages.set(textOf(list), last[0] as string);
    const after_id = oldestPages.get(textOf(list));
    if (after_id === undefined) return list;
    if (last.length > 0) return { ...list, after_id };
    forget();
    return undefined;
  };
  return { walk, page };
}
