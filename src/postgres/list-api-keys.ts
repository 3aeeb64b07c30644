import { activeFilters } from '../roster/filters.ts';
import type { ApiKeyId, OrganizationId } from '../roster/identifier.ts';
import type { ListQuery } from '../roster/list-query.ts';
import type { Page, PageItem } from '../roster/page.ts';
import { checkedRecord } from './adoption/checked-record.ts';
import { pageError } from './adoption/page-error.ts';
import { pageStatement } from './page-sql.ts';
import type { PipelinedConnection } from './serving/pipelined-connection.ts';

/** Reads a page with one statement, which looks the cursor up and then reads one range of one index. */
export async function listApiKeys(
  connection: PipelinedConnection,
  organization: OrganizationId,
  query: ListQuery,
): Promise<Page | null> {
  connection.refuseWhenBusy();
  const { filter, cursor, limit } = query;
  const statement = pageStatement(activeFilters(filter), cursor?.direction ?? null);
  const values = { organization, cursor: cursor?.id, rows: limit + 1, ...filter };
  const rows = await connection
    .rows<[id: string, record: string]>({
      name: statement.name,
      text: statement.text,
      values: statement.parameters.map(parameter => values[parameter]),
    })
    .catch(async error => {
      throw await pageError(error, connection, activeFilters(filter));
    });
  // When no row is found, the cursor may be unknown: then its creation time is NULL, which no row compares with.
  if (rows.length === 0 && cursor && !(await apiKeyExists(connection, organization, cursor.id))) return null;

  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  if (cursor?.direction === 'before') rows.reverse();
  return {
    items: rows.map(([id, record]) => ({ id, record: checkedRecord(id, record) }) as PageItem),
    hasMore,
  };
}

async function apiKeyExists(
  connection: PipelinedConnection,
  organization: OrganizationId,
  id: ApiKeyId,
): Promise<boolean> {
  const text = 'SELECT 1 FROM keyroster.api_keys WHERE organization_id = $1 AND id = $2';
  const rows = await connection.rows({ name: 'keyroster_api_key_exists', text, values: [organization, id] });
  return rows.length > 0;
}
