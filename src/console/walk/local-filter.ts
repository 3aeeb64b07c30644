import { type Coverage, coverageText, Directory, knowsNobody } from '../../admin/directory/directory.ts';
import { type LocalFilter, timeFilters } from '../../admin/find/local-filter.ts';
import { isInDefaultWorkspace } from '../../admin/find/told.ts';
import type { Policy } from '../../admin/report/policies.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import { DURATION_RULE } from '../../shared/record/duration.ts';
import type { LifecycleField } from '../../shared/record/lifecycle.ts';
import { teamsOf } from '../people/lookup.ts';
import { CannotFilter, toldTime } from './cannot-filter.ts';
import { CREATOR_STATES } from './describe.ts';
import { orderNames } from './orders.ts';
import { type LocalName, millisecondsOf, type RosterQuery } from './query.ts';

/** What the console filters by besides the keys themselves. */
export interface FilteredBy {
  readonly directory: Directory;
  /** `undefined`: nobody knows. */
  readonly coverage?: Coverage | undefined;
  /** Throws `CannotFilter` where there is no such policy. */
  breaks(policy: string): LocalFilter<ApiKeyRecord>;
  readonly brokenBy: (key: ApiKeyRecord) => readonly Policy[];
}

type FilterOf = (value: string, name: LocalName, by: FilteredBy) => LocalFilter<ApiKeyRecord>;

const filters: Readonly<Record<LocalName, FilterOf>> = {
  default_workspace: onlyTrue(() => isInDefaultWorkspace),
  expired: onlyTrue(() => told('expires_at', timeFilters.expired(Date.now()))),
  expires_within: (value, name) =>
    told('expires_at', timeFilters.expires_within(Date.now(), timeOf(value, name))),
  unused_for: (value, name) => told('last_used_at', timeFilters.unused_for(Date.now(), timeOf(value, name))),
  breaks: (value, _, by) => by.breaks(value),
  creator_state: (value, name, by) => {
    const directory = directoryOf(by, name);
    if (value === 'left' && !directory.tellsLeft)
      throw new CannotFilter(`${name}: the directory doesn't tell who has left`);
    if (!Object.hasOwn(CREATOR_STATES, value))
      throw new CannotFilter(`${name}: must be one of ${Object.keys(CREATOR_STATES).join(', ')}`);
    return ({ created_by: { id } }) =>
      value === 'unknown' ? !directory.knows(id) : directory.absence(id, Date.now()) === value;
  },
  team: (value, name, by) => {
    const directory = directoryOf(by, name);
    const team = teamsOf(directory).get(value);
    if (team === undefined) throw new CannotFilter(`${name}: not in this directory: drop a file that has it`);
    return ({ created_by }) => directory.isOfTeam(created_by.id, team);
  },
  creator_type: value => key => key.created_by.type === value,
  name: value => key => key.name === value,
  unknown: value => {
    throw new CannotFilter(`${value}: the console has no such filter`);
  },
  oldest_by: (value, name) => {
    if (!orderNames.includes(value))
      throw new CannotFilter(`${name}: must be one of ${orderNames.join(', ')}`);
    return () => true;
  },
};

function told(field: LifecycleField, filter: LocalFilter): LocalFilter<ApiKeyRecord> {
  return key => {
    toldTime(key, field);
    return filter(key);
  };
}

function onlyTrue(filter: () => LocalFilter<ApiKeyRecord>): FilterOf {
  return (value, name) => {
    if (value !== 'true') throw new CannotFilter(`${name}: must be true`);
    return filter();
  };
}

function directoryOf({ directory, coverage }: FilteredBy, name: LocalName): Directory {
  if (directory.size === 0)
    throw new CannotFilter(`${name}: needs a directory: drop its file into this page`);
  if (coverage && knowsNobody(coverage)) throw new CannotFilter(`${name}: ${coverageText(coverage)}`);
  return directory;
}

function timeOf(value: string, name: LocalName): number {
  const ms = millisecondsOf(value);
  if (ms === undefined) throw new CannotFilter(`${name}: ${DURATION_RULE}`);
  return ms;
}

const NOTHING: FilteredBy = {
  directory: new Directory([]),
  brokenBy: () => [],
  breaks: () => {
    throw new CannotFilter('breaks: there is no worklist');
  },
};

/** Those of the query's filters that the console applies itself. Throws `CannotFilter`. */
export function localFiltersOf(query: RosterQuery, by = NOTHING): readonly LocalFilter<ApiKeyRecord>[] {
  return (Object.keys(filters) as LocalName[]).flatMap(name => {
    const value = query[name];
    return value === undefined ? [] : [filters[name](value, name, by)];
  });
}
