import type { OrganizationId } from '../roster/identifier.ts';
import type { Cursor, ListQuery } from '../roster/list-query.ts';
import type { Page, PageItem } from '../roster/page.ts';
import { type PageShape, shapeOf } from '../roster/page-shape.ts';
import type { Connection } from './connection.ts';

/** A page in one statement: the cursor's place is looked up inside it, then one range of one index is read. */
export async function listApiKeys(
  connection: Connection,
  organization: OrganizationId,
  query: ListQuery,
): Promise<Page | null> {
  connection.refuseWhenBusy();
  const { filter, cursor, limit } = query;
  const statement = pageStatement(shapeOf(query));
  const values = {
    organization,
    status: filter.status,
    workspace: filter.workspaceId,
    creator: filter.creatorId,
    cursor: cursor?.id,
    rows: limit + 1,
  };
  const rows = await connection.rows<[id: string, record: string]>({
    name: statement.name,
    text: statement.text,
    values: statement.parameters.map(parameter => values[parameter]),
  });
  // Without a row the cursor may be one that there isn't: its place is then unknown, and nothing comes after that.
  if (rows.length === 0 && cursor && !(await isKnown(connection, organization, cursor))) return null;

  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  if (cursor?.direction === 'before') rows.reverse();
  return { items: rows.map(([id, record]) => ({ id, record }) as PageItem), hasMore };
}

async function isKnown(
  connection: Connection,
  organization: OrganizationId,
  { id }: Cursor,
): Promise<boolean> {
  const text = 'SELECT 1 FROM keyroster.api_keys WHERE organization_id = $1 AND id = $2';
  return (await connection.rows({ name: 'keyroster_is_known', text, values: [organization, id] })).length > 0;
}

type Parameter = 'organization' | 'status' | 'workspace' | 'creator' | 'cursor' | 'rows';

/** A named statement: PostgreSQL parses it once a connection. */
export interface PageStatement {
  readonly name: string;
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

const prepared = new Map<string, PageStatement>();

export function pageStatement(shape: PageShape): PageStatement {
  const name = `keyroster_page_${[
    shape.status && 's',
    shape.workspace && 'w',
    shape.creator && 'c',
    shape.direction,
  ]
    .filter(Boolean)
    .join('_')}`;
  const known = prepared.get(name);
  if (known) return known;
  const made = { name, ...pageSql(shape) };
  prepared.set(name, made);
  return made;
}

function pageSql(shape: PageShape): { text: string; parameters: readonly Parameter[] } {
  const parameters: Parameter[] = ['organization', 'rows'];
  const bound = (parameter: Parameter) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  };
  const filters = [
    { column: 'status', parameter: 'status', given: shape.status },
    { column: 'workspace_id', parameter: 'workspace', given: shape.workspace },
    { column: 'created_by_id', parameter: 'creator', given: shape.creator },
  ] as const;
  const columns = filters.map(({ column, given }) => (given ? column : 'NULL'));
  const asked = filters.map(({ parameter, given }) => (given ? `${bound(parameter)}::text` : 'NULL'));
  const conditions = [
    // The organization by itself too: Citus sends the statement to its shard by it.
    'organization_id = $1',
    `keyroster.listing(organization_id, ${columns}) = keyroster.listing($1, ${asked})`,
    // The listing is a hash: rows of another one with the same hash are dropped here.
    ...filters.filter(({ given }) => given).map(({ column, parameter }) => `${column} = ${bound(parameter)}`),
  ];
  if (shape.direction) {
    const cursor = bound('cursor');
    const place = `(SELECT created_at FROM keyroster.api_keys WHERE organization_id = $1 AND id = ${cursor})`;
    conditions.push(`(created_at, id) ${shape.direction === 'before' ? '>' : '<'} (${place}, ${cursor})`);
  }
  const order = shape.direction === 'before' ? 'created_at, id' : 'created_at DESC, id DESC';
  const text = `SELECT id, record FROM keyroster.api_keys WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT $2`;
  return { text, parameters };
}
