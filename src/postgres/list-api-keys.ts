import { activeFilters } from '../roster/filters.ts';
import type { OrganizationId } from '../roster/identifier.ts';
import type { ListQuery } from '../roster/list-query.ts';
import type { Page, PageItem } from '../roster/page.ts';
import { checkedRecord } from './adoption/checked-record.ts';
import { pageError } from './adoption/page-error.ts';
import { type PageStatement, pageStatement, withCursorFound } from './page-sql.ts';
import type { PageReads, Reads } from './serving/reads.ts';

/** Reads a page with one statement, which looks the cursor up and then reads one range of one index. */
export async function listApiKeys(
  reads: PageReads,
  organization: OrganizationId,
  query: ListQuery,
): Promise<Page | null> {
  const { cursor, limit } = query;
  const lane = await reads.pages(organization, limit);
  const statement = pageStatement(activeFilters(query.filter), cursor?.direction ?? null);
  let rows = await readRows(lane, organization, query, statement);
  // When no row is found, the cursor may be unknown: then its creation time is NULL, which no row compares with.
  if (rows.length === 0 && cursor) {
    const found = await readRows(lane, organization, query, withCursorFound(statement));
    rows = found.filter(([id]) => id !== null);
    if (rows.length === found.length) return null;
  }

  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  if (cursor?.direction === 'before') rows.reverse();
  return {
    items: rows.map(([id, record]) => ({ id, record: checkedRecord(id, record) }) as PageItem),
    hasMore,
  };
}

async function readRows(
  lane: Reads,
  organization: OrganizationId,
  { filter, cursor, limit }: ListQuery,
  { name, text, parameters }: PageStatement,
): Promise<[id: string, record: string][]> {
  const known = { organization, cursor: cursor?.id, rows: limit + 1, ...filter };
  const values = parameters.map(parameter => known[parameter]);
  try {
    return await lane.rows({ name, text, values });
  } catch (error) {
    throw await pageError(error, lane, activeFilters(filter));
  }
}
