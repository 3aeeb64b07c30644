/** The pages that the checks ask for. */
import { type ApiKey, STATUSES } from '../roster/api-key.ts';
import type { Filter, FilterName, FilterValue } from '../roster/filters.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../roster/identifier.ts';
import { type Cursor, LIMIT, type ListQuery } from '../roster/list-query.ts';

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

export const query = (limit: number, cursor: Cursor | null = null, filter: Filter = {}): ListQuery => ({
  limit,
  cursor,
  filter,
});

/** Cursors at this key, in both directions. */
export const cursorsAt = (id: string): Cursor[] => [
  { direction: 'after', id: id as ApiKeyId },
  { direction: 'before', id: id as ApiKeyId },
];

/** No cursor, and cursors at each of these keys. */
export function everyCursor(keys: readonly ApiKey[]): readonly (Cursor | null)[] {
  return [null, ...keys.flatMap(({ id }) => cursorsAt(id))];
}

/** From one key less than these to one more, and the smallest and the default. */
export function limitsAround(count: number): readonly number[] {
  const limits = [1, count - 1, count, count + 1, LIMIT.default].filter(
    limit => limit >= LIMIT.min && limit <= LIMIT.max,
  );
  return [...new Set(limits)].toSorted((a, b) => a - b);
}
