import type { Filter, FilterName, FilterValue } from '../../src/shared/record/filters.ts';
import type { CreatorId, WorkspaceId } from '../../src/shared/record/identifier.ts';
import type { Scope } from '../../src/shared/record/list-query.ts';
import { STATUSES } from '../../src/shared/record/status.ts';

/** Values of each filter; the last workspace and the last creator are those of no key. A filter without values doesn't compile. */
const filterValues: { readonly [Name in FilterName]: readonly FilterValue<Name>[] } = {
  status: STATUSES,
  workspaceId: ['wrkspc_a', 'wrkspc_b', 'wrkspc_none'] as WorkspaceId[],
  creatorId: ['user_a', 'user_b', 'user_none'] as CreatorId[],
};

/** Every combination of filters with every value, those with the fewest filters first. */
export const everyFilter: readonly Filter[] = Object.entries(filterValues)
  .reduce<Filter[]>(
    (filters, [name, values]) =>
      filters.flatMap(filter => [filter, ...values.map(value => ({ ...filter, [name]: value }))]),
    [{}],
  )
  .toSorted((a, b) => Object.keys(a).length - Object.keys(b).length);

/** The scopes that callers can have, those of one member first. */
export const everyScope: readonly Scope[] = everyFilter.filter(
  filter => !filter.status && (filter.workspaceId || filter.creatorId),
);
