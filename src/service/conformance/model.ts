import type { OrganizationId } from '../../shared/record/identifier.ts';
import type { ListQuery } from '../../shared/record/list-query.ts';
import type { ApiKey } from '../roster/api-key.ts';
import { type IsGreater, isGreaterNumber, isGreaterText, isWholeNumber } from '../roster/pages/page.ts';
import { failedFilters, isVisible } from '../roster/pages/visible.ts';

/** What a store has: the API keys of each organization. */
export type Content = ReadonlyMap<OrganizationId, readonly ApiKey[]>;

/** A page that is asked for. */
export interface Question {
  readonly organization: OrganizationId;
  readonly query: ListQuery;
}

export interface ModelPage {
  readonly keys: readonly ApiKey[];
  readonly hasMore: boolean;
}

/**
 * Reference model of a page (docs/api.md#order-and-pages): sorts, filters and slices everything. `null`: unknown cursor.
 *
 * @param isGreater of IDs at one time: where all are whole numbers they go as numbers.
 */
export function modelPage(
  roster: readonly ApiKey[],
  query: ListQuery,
  isGreater: IsGreater = roster.every(({ id }) => isWholeNumber(id)) ? isGreaterNumber : isGreaterText,
): ModelPage | null {
  const order = newestFirst(isGreater);
  const { limit, cursor, filter, scope = {} } = query;
  const existing = roster.filter(key => failedFilters(key, scope).length === 0);
  const position = existing.find(key => key.id === cursor?.id);
  if (cursor && !position) return null;
  const matching = existing.filter(key => isVisible(key, query) && failedFilters(key, filter).length === 0);
  const inDirection = cursor?.direction === 'before' ? -1 : 1;
  const candidates = matching
    .filter(key => !position || order(key, position) * inDirection > 0)
    .toSorted(order);
  const keys = cursor?.direction === 'before' ? candidates.slice(-limit) : candidates.slice(0, limit);
  return { keys, hasMore: candidates.length > limit };
}

export const newestFirst = (isGreater: IsGreater) => (a: ApiKey, b: ApiKey) => {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return a.id === b.id ? 0 : isGreater(a.id, b.id) ? -1 : 1;
};
