/** What a complete count knows about the keys of other views. */
import { ageOf } from '../../report/age.ts';
import type { Total } from '../roster/list-summary.tsx';
import { filtersOf, type RosterQuery } from '../walk/query.ts';
import type { RosterCount } from './roster-count.ts';

/**
 * How many keys had all filters of the query when they were counted; its cursor and limit don't matter. `undefined`: no count is
 * complete, or it doesn't know these filters together.
 */
export function totalOf(count: RosterCount | null, query: RosterQuery): Total | undefined {
  if (count?.total === undefined) return undefined;
  const keys = keysOf(count, query);
  return keys === undefined ? undefined : { keys, asOf: count.asOf };
}

function keysOf(count: RosterCount, query: RosterQuery): number | undefined {
  const { created_before, ...others } = Object.fromEntries(filtersOf(query)) as RosterQuery;
  if (created_before === undefined) return count.figures.countOf(others);
  const onlyActive = others.status === 'active' && Object.keys(others).length === 1;
  const ageMs = ageOf(created_before, count.now) ?? ageOf(`${created_before}T00:00:00Z`, count.now);
  return onlyActive && ageMs !== undefined ? count.figures.activeOlderThan(ageMs) : undefined;
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
