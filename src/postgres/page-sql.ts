import type { FilterName } from '../roster/filters.ts';
import type { Direction } from '../roster/list-query.ts';

/**
 * The columns of the filters, in the order of the arguments of `keyroster.listing`. Each combination of them has its index on
 * `listing`. A filter that a migration hasn't added to that function is an error of PostgreSQL's, never a slow or a wrong page.
 */
const filterColumns = {
  status: 'status',
  workspaceId: 'workspace_id',
  creatorId: 'created_by_id',
} as const satisfies Record<FilterName, string>;

const FILTERS_BY_ARGUMENT = Object.keys(filterColumns) as FilterName[];

export type PageParameter = FilterName | 'organization' | 'cursor' | 'rows';

/** A named statement: PostgreSQL parses it once a connection. */
export interface PageStatement {
  readonly name: string;
  readonly text: string;
  readonly parameters: readonly PageParameter[];
}

const statements = new Map<string, PageStatement>();

/** The statement of a page: one range of the one index of its filters. */
export function pageStatement(filters: readonly FilterName[], direction: Direction | null): PageStatement {
  const name = ['keyroster_page', ...filters, direction ?? 'first'].join('_');
  const known = statements.get(name);
  if (known) return known;
  const statement = { name, ...pageSql(filters, direction) };
  statements.set(name, statement);
  return statement;
}

function pageSql(filters: readonly FilterName[], direction: Direction | null) {
  const parameters: PageParameter[] = ['organization', 'rows'];
  const bound = (parameter: PageParameter) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  };
  const columns = FILTERS_BY_ARGUMENT.map(name => (filters.includes(name) ? filterColumns[name] : 'NULL'));
  const values = FILTERS_BY_ARGUMENT.map(name => (filters.includes(name) ? `${bound(name)}::text` : 'NULL'));
  const conditions = [
    // The organization by itself too: Citus sends the statement to its shard by it.
    'organization_id = $1',
    `keyroster.listing(organization_id, ${columns}) = keyroster.listing($1, ${values})`,
    // The listing is a hash: rows of another one with the same hash are dropped here.
    ...filters.map(name => `${filterColumns[name]} = ${bound(name)}`),
  ];
  if (direction !== null) {
    const cursor = bound('cursor');
    const place = `(SELECT created_at FROM keyroster.api_keys WHERE organization_id = $1 AND id = ${cursor})`;
    conditions.push(`(created_at, id) ${direction === 'before' ? '>' : '<'} (${place}, ${cursor})`);
  }
  const order = direction === 'before' ? 'created_at, id' : 'created_at DESC, id DESC';
  const text = `SELECT id, record FROM keyroster.api_keys WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT $2`;
  return { text, parameters };
}
