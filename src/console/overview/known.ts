/** What a count knows about the keys of other views. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { filtersOf, type RosterQuery } from '../walk/query.ts';
import type { RosterCount } from './roster-count.ts';

/** How many keys a list has on all pages. */
export interface Total {
  readonly keys: number;
  /** When they were counted, where that was before the list was loaded. */
  readonly asOf?: string;
}

/** Renders again when the count is complete, and not while it goes on. */
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

/**
 * How many keys had all filters of the query when they were counted; its cursor and limit don't matter. `undefined`: the count isn't
 * complete, or it doesn't know these filters together.
 */
export function totalOf(count: RosterCount | null, query: RosterQuery): Total | undefined {
  if (count?.total === undefined) return undefined;
  const keys = count.figures.countOf(Object.fromEntries(filtersOf(query)));
  return keys === undefined ? undefined : { keys, asOf: count.asOf };
}

/** Those with the most active keys first; only IDs that a filter of the service takes. */
export function knownIds(count: RosterCount | null): { workspaces: string[]; creators: string[] } {
  if (!count) return { workspaces: [], creators: [] };
  const { workspaces, creators } = count.figures.snapshot();
  return {
    workspaces: workspaces.first.map(({ workspace_id }) => workspace_id).filter(id => id !== null),
    creators: creators.first.map(({ creator }) => creator.id),
  };
}
