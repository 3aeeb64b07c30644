import { namesOf } from '../roster/filters.ts';
import type { ApiKeyId, OrganizationId } from '../roster/identifier.ts';
import type { ListQuery } from '../roster/list-query.ts';
import type { Page, PageItem } from '../roster/page.ts';
import { pageStatement } from './page-sql.ts';
import type { PipelinedConnection } from './serving/pipelined-connection.ts';

/** Reads a page by one statement: the cursor's place is looked up inside it, then one range of one index is read. */
export async function listApiKeys(
  connection: PipelinedConnection,
  organization: OrganizationId,
  query: ListQuery,
): Promise<Page | null> {
  connection.refuseWhenBusy();
  const { filter, cursor, limit } = query;
  const statement = pageStatement(namesOf(filter), cursor?.direction ?? null);
  const values = { organization, cursor: cursor?.id, rows: limit + 1, ...filter };
  const rows = await connection.rows<[id: string, record: string]>({
    name: statement.name,
    text: statement.text,
    values: statement.parameters.map(parameter => values[parameter]),
  });
  // Without a row the cursor may be unknown: its place is then NULL, and no row comes after that.
  if (rows.length === 0 && cursor && !(await isKnown(connection, organization, cursor.id))) return null;

  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  if (cursor?.direction === 'before') rows.reverse();
  return { items: rows.map(([id, record]) => ({ id, record }) as PageItem), hasMore };
}

async function isKnown(
  connection: PipelinedConnection,
  organization: OrganizationId,
  id: ApiKeyId,
): Promise<boolean> {
  const text = 'SELECT 1 FROM keyroster.api_keys WHERE organization_id = $1 AND id = $2';
  const rows = await connection.rows({ name: 'keyroster_is_known', text, values: [organization, id] });
  return rows.length > 0;
}
