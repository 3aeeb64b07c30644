import { useEffect, useState } from 'preact/hooks';
import { goTo, rosterAddress } from '../shell/address.ts';
import type { Session } from '../shell/session.ts';
import { knownOldestPage, walkToOldest } from '../walk/oldest-page.ts';
import { type RosterQuery, textOf, withoutCursor } from '../walk/query.ts';
import type { Walk } from '../walk/walk.ts';

/** The way to the oldest page of the list. `walk` is the one that looks for it. Another list ends that. */
export function useOldest(session: Session, query: RosterQuery): { walk: Walk | null; go(): void } {
  const [walk, setWalk] = useState<Walk | null>(null);
  useEffect(() => () => walk?.stop(), [walk]);
  useEffect(() => setWalk(null), [session, textOf(query)]);
  const go = () => {
    const known = knownOldestPage(session, query);
    if (known) return goTo(rosterAddress(known));
    const found = walkToOldest(session, withoutCursor(query));
    found.walk.subscribe(() => {
      if (found.walk.state.kind === 'complete') goTo(rosterAddress(found.page()));
    });
    setWalk(found.walk);
    found.walk.run();
  };
  return { walk, go };
}
