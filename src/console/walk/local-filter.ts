import {
  CannotFilter,
  inDefaultWorkspace,
  type LocalFilter,
  timeFilters,
} from '../../admin/find/local-filter.ts';
import { DURATION_RULE } from '../../shared/record/duration.ts';
import { type LocalName, millisecondsOf, type RosterQuery } from './query.ts';

const filters: Readonly<Record<LocalName, (value: string, name: LocalName) => LocalFilter>> = {
  default_workspace: onlyTrue(() => inDefaultWorkspace),
  expired: onlyTrue(() => timeFilters.expired(Date.now())),
  expires_within: (...given) => timeFilters.expires_within(Date.now(), timeOf(...given)),
  unused_for: (...given) => timeFilters.unused_for(Date.now(), timeOf(...given)),
  creator_type: value => key => key.created_by.type === value,
  name: value => key => key.name === value,
};

function onlyTrue(filter: () => LocalFilter) {
  return (value: string, name: LocalName) => {
    if (value !== 'true') throw new CannotFilter(`${name}: must be true`);
    return filter();
  };
}

function timeOf(value: string, name: LocalName): number {
  const ms = millisecondsOf(value);
  if (ms === undefined) throw new CannotFilter(`${name}: ${DURATION_RULE}`);
  return ms;
}

/** Those of the query's filters that the console applies itself. Throws `CannotFilter`. */
export function localFiltersOf(query: RosterQuery): readonly LocalFilter[] {
  return (Object.keys(filters) as LocalName[]).flatMap(name => {
    const value = query[name];
    return value === undefined ? [] : [filters[name](value, name)];
  });
}
