import { inDefaultWorkspace, type LocalFilter } from '../../admin/find/local-filter.ts';
import type { LocalName, RosterQuery } from './query.ts';

/** A value in the address that no filter of the console can have. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

const filters: Readonly<Record<LocalName, (value: string) => LocalFilter>> = {
  default_workspace: value => {
    if (value !== 'true') throw new AddressError('default_workspace: must be true');
    return inDefaultWorkspace;
  },
  creator_type: value => key => key.created_by.type === value,
  name: value => key => key.name === value,
};

/** Those of the query's filters that the console applies itself. Throws an `AddressError`. */
export function localFiltersOf(query: RosterQuery): readonly LocalFilter[] {
  return (Object.keys(filters) as LocalName[]).flatMap(name => {
    const value = query[name];
    return value === undefined ? [] : [filters[name](value)];
  });
}
