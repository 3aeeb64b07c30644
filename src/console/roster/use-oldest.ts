import { useEffect, useState } from 'preact/hooks';
import { goTo, rosterAddress } from '../shell/address.ts';
import type { Session } from '../shell/session.ts';
import { walkToOldest } from '../walk/oldest-page.ts';
import { type RosterQuery, textOf } from '../walk/query.ts';
import type { Walk } from '../walk/walk.ts';

/** The way to the oldest page of the list. `walk` is the one that looks for it. Another address, such as that of a drawer, ends it. */
export function useOldest(
  session: Session,
  query: RosterQuery,
  openKey: string | null,
  reload: () => void,
): { walk: Walk | null; go(): void } {
  const [walk, setWalk] = useState<Walk | null>(null);
  useEffect(() => () => walk?.stop(), [walk]);
  useEffect(() => setWalk(null), [session, textOf(query, openKey)]);
  const go = () => {
    const address = location.href;
    const found = walkToOldest(session, query);
    found.walk.subscribe(() => {
      if (found.walk.state.kind !== 'complete' || location.href !== address) return;
      const page = found.page();
      if (!page) return go();
      if (textOf(page) !== textOf(query)) return goTo(rosterAddress(page));
      setWalk(null);
      reload();
    });
    setWalk(found.walk);
    found.walk.run();
  };
  return { walk, go };
}
