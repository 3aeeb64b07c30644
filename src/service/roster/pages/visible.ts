import { activeFilters, type Filter, type FilterName } from '../../../shared/record/filters.ts';
import type { CreationRange, ListQuery } from '../../../shared/record/list-query.ts';
import type { ApiKey } from '../api-key.ts';

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

export function wasCreatedIn({ createdAt }: ApiKey, { from, before }: CreationRange): boolean {
  return (from === undefined || createdAt >= from) && (before === undefined || createdAt < before);
}

type Restrictions = Omit<ListQuery, 'limit' | 'cursor' | 'filter'>;

/** What else restricts a page. Without its rule here a member of the query doesn't compile, and no model would know it. */
const isWithin: { readonly [Name in keyof Restrictions]-?: (key: ApiKey, query: Restrictions) => boolean } = {
  scope: (key, { scope = {} }) => failedFilters(key, scope).length === 0,
  created: (key, { created = {} }) => wasCreatedIn(key, created),
};

/** Whether a page of this query may have the key, apart from its filter and cursor. */
export function isVisible(key: ApiKey, query: Restrictions): boolean {
  return Object.values(isWithin).every(passes => passes(key, query));
}
