/** What a complete count knows about the keys of other views. */
import { ageOf } from '../../report/age.ts';
import type { CreatorCount, FirstOf, WorkspaceCount } from '../../report/roster-report.ts';
import { filtersOf, type RosterQuery } from '../walk/query.ts';
import type { RosterCount } from './roster-count.ts';

/**
 * How many keys had all filters of the query when they were counted; its cursor and limit don't matter. `undefined`: no count is
 * complete, or it doesn't know these filters together.
 */
export function totalOf(count: RosterCount | null, query: RosterQuery): number | undefined {
  if (count?.total === undefined) return undefined;
  const { created_before, ...others } = Object.fromEntries(filtersOf(query)) as RosterQuery;
  if (created_before === undefined) return count.figures.countOf(others);
  const onlyActive = others.status === 'active' && Object.keys(others).length === 1;
  const ageMs = ageOf(created_before, count.now) ?? ageOf(`${created_before}T00:00:00Z`, count.now);
  return onlyActive && ageMs !== undefined ? count.figures.activeOlderThan(ageMs) : undefined;
}

export interface KnownGroups {
  /** Those with the most active keys first. The default workspace is one of them. */
  readonly workspaces: FirstOf<WorkspaceCount>;
  readonly creators: FirstOf<CreatorCount>;
}

/** What a filter may be set to, as far as it is known; `null`: nothing was counted yet. */
export function knownGroups(count: RosterCount | null): KnownGroups | null {
  return count && count.walk.read > 0 ? count.figures.snapshot() : null;
}
