import assert from 'node:assert/strict';
import { activeFilters, type Filter, filters } from '../../src/shared/record/filters.ts';
import type { ApiKeyId } from '../../src/shared/record/identifier.ts';
import type { Cursor, ListQuery } from '../../src/shared/record/list-query.ts';
import { formatTimestamp } from '../../src/shared/record/timestamp.ts';
import type { Answer } from './service.ts';

export type Direction = Cursor['direction'];

/** Gets a page with this query string from the service. */
export type GetPage = (query: string) => Promise<Answer>;

export interface WirePage {
  readonly data: readonly { readonly id: ApiKeyId }[];
  readonly has_more: boolean;
  /** The last key in the walk's direction, which is the next page's cursor. */
  readonly end: ApiKeyId;
}

/** Walks the pages like a client: requests each page when the consumer is done with the previous one. */
export async function* pagesOf(
  getPage: GetPage,
  walk: { direction: Direction; start: ApiKeyId | null } & Omit<ListQuery, 'cursor'>,
): AsyncGenerator<WirePage> {
  let cursor = walk.start;
  for (;;) {
    const at = cursor && { direction: walk.direction, id: cursor };
    const { status, body } = await getPage(queryString({ ...walk, cursor: at }));
    assert.equal(status, 200, JSON.stringify(body));
    cursor = walk.direction === 'after' ? body.last_id : body.first_id;
    yield { data: body.data, has_more: body.has_more, end: cursor as ApiKeyId };
    if (!body.has_more) return;
  }
}

/** The query parameters that ask for the filter. */
export function filterParameters(filter: Filter): Record<string, string> {
  const parameters = activeFilters(filter).map(name => [filters[name].parameter, filter[name]]);
  return Object.fromEntries(parameters);
}

/** What a client asks for; the scope is the caller's. */
export function queryString({ limit, cursor, filter, created = {} }: ListQuery): string {
  const parameters = new URLSearchParams({ limit: String(limit), ...filterParameters(filter) });
  if (cursor) parameters.set(`${cursor.direction}_id`, cursor.id);
  for (const [bound, time] of Object.entries(created))
    parameters.set(`created_${bound}`, formatTimestamp(time));
  return parameters.toString();
}
