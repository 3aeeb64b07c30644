import { activeFilters, type Filter, type FilterName } from '../../shared/record/filters.ts';
import type { Cursor, ListQuery } from '../../shared/record/list-query.ts';
import type { ApiKey } from '../roster/api-key.ts';

/** Whether a key passes each filter. A filter without its rule here doesn't compile. */
const passes: Readonly<Record<FilterName, (key: ApiKey, filter: Filter) => boolean>> = {
  status: (key, { status }) => key.status === status,
  workspaceId: (key, { workspaceId }) => key.workspaceId === workspaceId,
  creatorId: (key, { creatorId }) => key.createdBy.id === creatorId,
};

/** The filters that the key doesn't pass. */
export function failedFilters(key: ApiKey, filter: Filter): readonly FilterName[] {
  return activeFilters(filter).filter(name => !passes[name](key, filter));
}

export interface ModelPage {
  readonly keys: readonly ApiKey[];
  readonly hasMore: boolean;
  /** The key that comes next, in the direction of the page. */
  readonly next: ApiKey | undefined;
}

/** Reference model of a page (docs/api.md#order-and-pages): sorts, filters and slices everything. `null`: unknown cursor. */
export function modelPage(roster: readonly ApiKey[], { limit, cursor, filter }: ListQuery): ModelPage | null {
  const position = roster.find(key => key.id === cursor?.id);
  if (cursor && !position) return null;
  const matching = roster.filter(key => failedFilters(key, filter).length === 0);
  const candidates = matching
    .filter(key => !position || isBehind(key, position, cursor?.direction))
    .toSorted(newestFirst);
  const before = cursor?.direction === 'before';
  return {
    keys: before ? candidates.slice(-limit) : candidates.slice(0, limit),
    hasMore: candidates.length > limit,
    next: before ? candidates.at(-limit - 1) : candidates[limit],
  };
}

/** Whether the key is on the side of the position that the direction asks for. */
export function isBehind(key: ApiKey, position: ApiKey, direction: Cursor['direction'] = 'after'): boolean {
  const order = newestFirst(key, position);
  return direction === 'after' ? order > 0 : order < 0;
}

/** The one order. IDs are ASCII, so comparing strings compares bytes. */
export function newestFirst(a: ApiKey, b: ApiKey): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return a.id === b.id ? 0 : a.id > b.id ? -1 : 1;
}
