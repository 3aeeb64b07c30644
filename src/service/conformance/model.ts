import type { Cursor, ListQuery } from '../../shared/record/list-query.ts';
import type { ApiKey } from '../roster/api-key.ts';
import { failedFilters, isVisible } from '../roster/visible.ts';

export interface ModelPage {
  readonly keys: readonly ApiKey[];
  readonly hasMore: boolean;
  /** The key that comes next, in the direction of the page. */
  readonly next: ApiKey | undefined;
}

/** Reference model of a page (docs/api.md#order-and-pages): sorts, filters and slices everything. `null`: unknown cursor. */
export function modelPage(roster: readonly ApiKey[], query: ListQuery): ModelPage | null {
  const { limit, cursor, filter, scope = {} } = query;
  const existing = roster.filter(key => failedFilters(key, scope).length === 0);
  const position = existing.find(key => key.id === cursor?.id);
  if (cursor && !position) return null;
  const matching = existing.filter(key => isVisible(key, query) && failedFilters(key, filter).length === 0);
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
