import { useEffect, useMemo, useState } from 'preact/hooks';
import type { RosterQuery } from '../walk/query.ts';
import { knownIds, totalOf } from './known-totals.ts';
import type { RosterCount } from './roster-count.ts';

/** What the count knows, for the list. Renders again when the count is complete, and not while it goes on. */
export function useKnown(count: RosterCount | null) {
  const [total, setTotal] = useState<number>();
  useEffect(() => {
    setTotal(count?.total);
    return count?.walk.subscribe(() => setTotal(count.total));
  }, [count]);
  return useMemo(
    () => ({ totalOf: (query: RosterQuery) => totalOf(count, query), counted: knownIds(count) }),
    [count, total],
  );
}
