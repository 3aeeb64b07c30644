/** What a complete count knows about the keys of other views. */
import { ageBands, ageOf } from '../../report/age.ts';
import type { Count } from '../../report/status-counts.ts';
import { filtersOf, type RosterQuery } from '../walk/query.ts';
import { sumOf } from './months-shown.ts';
import { queryOfBand } from './ranges.ts';
import type { RosterCount } from './roster-count.ts';

/** How many keys a list has on all pages. */
export interface Total {
  readonly keys: number;
  /** When they were counted, where that was before the list was loaded. */
  readonly asOf?: string;
}

/**
 * How many keys had all filters of the query when they were counted; its cursor and limit don't matter. `undefined`: no count is
 * complete, or it doesn't know these filters together. Knows every number of the overview.
 */
export function totalOf(latest: RosterCount | null, query: RosterQuery): Total | undefined {
  const count = latest?.lastComplete;
  if (!count) return undefined;
  const keys = keysOf(count, query);
  return keys === undefined ? undefined : { keys, asOf: count.asOf };
}

function keysOf(count: RosterCount, query: RosterQuery): number | undefined {
  const { status, created_from, created_before, ...others } = Object.fromEntries(
    filtersOf(query),
  ) as RosterQuery;
  if (created_from === undefined && created_before === undefined)
    return count.figures.countOf({ status, ...others });
  if (Object.keys(others).length > 0) return undefined;
  const range = { created_from, created_before };
  const counts = countOfBand(count, range) ?? countOfMonths(count, range);
  if (counts) return status === undefined ? counts.keys : (counts.statuses[status] ?? 0);
  return status === 'active' && created_from === undefined ? activeBefore(count, created_before) : undefined;
}

interface Range {
  readonly created_from: string | undefined;
  readonly created_before: string | undefined;
}

function countOfBand(
  { figures, now }: RosterCount,
  { created_from, created_before }: Range,
): Count | undefined {
  const index = ageBands.findIndex(band => {
    const shows = queryOfBand(band, now);
    return shows.created_from === created_from && shows.created_before === created_before;
  });
  return figures.snapshot().by_age[index];
}

/** Where the range begins and ends with a month. */
function countOfMonths(
  { figures }: RosterCount,
  { created_from = '0000-01-01', created_before = '9999-12-01' }: Range,
): Count | undefined {
  const [from, before] = [created_from, created_before].map(date => /^(\d{4}-\d\d)-01$/.exec(date)?.[1]);
  if (from === undefined || before === undefined) return undefined;
  return sumOf(figures.snapshot().by_month.filter(({ month }) => month >= from && month < before));
}

function activeBefore({ figures, now }: RosterCount, before = ''): number | undefined {
  const ageMs = ageOf(before, now) ?? ageOf(`${before}T00:00:00Z`, now);
  return ageMs === undefined ? undefined : figures.activeOlderThan(ageMs);
}

/** Those with the most active keys first; only IDs that a filter of the service takes. */
export function knownIds(latest: RosterCount | null): { workspaces: string[]; creators: string[] } {
  const count = latest?.lastComplete ?? latest;
  if (!count) return { workspaces: [], creators: [] };
  const { workspaces, creators } = count.figures.snapshot();
  return {
    workspaces: workspaces.first.map(({ workspace_id }) => workspace_id).filter(id => id !== null),
    creators: creators.first.map(({ creator }) => creator.id),
  };
}
