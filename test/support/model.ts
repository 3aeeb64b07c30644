import type { ApiKey } from '../../src/roster/api-key.ts';
import { renderApiKey } from '../../src/roster/api-key-record.ts';
import { activeFilters, type Filter, type FilterName } from '../../src/roster/filters.ts';
import type { ListQuery } from '../../src/roster/list-query.ts';

/** Whether a key passes each filter. A filter without its rule here doesn't compile. */
const matches: Readonly<Record<FilterName, (key: ApiKey, filter: Filter) => boolean>> = {
  status: (key, { status }) => key.status === status,
  workspaceId: (key, { workspaceId }) => key.workspaceId === workspaceId,
  creatorId: (key, { creatorId }) => key.createdBy.id === creatorId,
};

/** Reference model of a page (docs/api.md#order-and-pages): sorts, filters and slices everything. `null`: unknown cursor. */
export function modelPage(roster: readonly ApiKey[], { limit, cursor, filter }: ListQuery) {
  const position = roster.find(key => key.id === cursor?.id);
  if (cursor && !position) return null;
  const matching = roster.filter(key => activeFilters(filter).every(name => matches[name](key, filter)));
  const ordered = matching.toSorted(newestFirst);
  const before = cursor?.direction === 'before';
  const candidates = position
    ? ordered.filter(key => (before ? newestFirst(key, position) < 0 : newestFirst(key, position) > 0))
    : ordered;
  const page = before ? candidates.slice(-limit) : candidates.slice(0, limit);
  return {
    data: page.map(key => JSON.parse(renderApiKey(key))),
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: candidates.length > limit,
  };
}

function newestFirst(a: ApiKey, b: ApiKey): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return a.id === b.id ? 0 : a.id > b.id ? -1 : 1;
}
