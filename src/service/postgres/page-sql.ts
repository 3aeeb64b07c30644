import type { FilterName } from '../../shared/record/filters.ts';
import type { Direction } from '../../shared/record/list-query.ts';
import { type DeclaredField, NO_FIELDS } from '../roster/declared-fields.ts';
import { columnAsText } from './declared-fields.ts';

/**
 * The column of each filter, in the order of the arguments of `keyroster.listing`. Every combination of filters has an index
 * on `listing`. With a filter that no migration has added to that function, PostgreSQL refuses the statement, so a missing
 * index can't make a page slow.
 */
export const filterColumns = {
  status: 'status',
  workspaceId: 'workspace_id',
  creatorId: 'created_by_id',
} as const satisfies Record<FilterName, string>;

export const FILTERS_BY_ARGUMENT = Object.keys(filterColumns) as FilterName[];

export type PageParameter = FilterName | 'organization' | 'cursor' | 'rows';

/** A named statement, which PostgreSQL parses once per connection. */
export interface PageStatement {
  readonly name: string;
  readonly text: string;
  readonly parameters: readonly PageParameter[];
  /** Whose columns it selects after the record. */
  readonly fields: readonly DeclaredField[];
}

const statements = new Map<string, PageStatement>();

const shortNames = new Map<string, string>();

/** PostgreSQL tells names by their first 63 characters, of which few are left. */
function shortName(fields: readonly DeclaredField[]): string {
  // A process may have several databases, whose fields have the same numbers.
  const columns = fields.map(({ number, name, type }) => `${number} ${name} ${type.kind}`).join();
  const name = shortNames.get(columns) ?? shortNames.size.toString(36);
  shortNames.set(columns, name);
  return name;
}

/** The statement that reads a page: one range of the index of its combination of filters. */
export function pageStatement(
  filters: readonly FilterName[],
  direction: Direction | null,
  fields: readonly DeclaredField[] = NO_FIELDS,
): PageStatement {
  const declared = fields.length === 0 ? [] : [shortName(fields)];
  const name = ['keyroster_page', ...filters, direction ?? 'first', ...declared].join('_');
  const known = statements.get(name);
  if (known) return known;
  const statement = { name, ...pageSql(filters, direction, fields), fields };
  statements.set(name, statement);
  return statement;
}

/**
 * The same page, and with it a row of `NULL` when there is the key that the cursor names: in one statement, as a vendor may delete
 * and insert that key at any time.
 */
export function withCursorFound({ name, text, parameters, fields }: PageStatement): PageStatement {
  const cursor = `organization_id = $1 AND id = $${parameters.indexOf('cursor') + 1}`;
  const nothing = ['id', 'record', ...fields].map(() => 'NULL').join(', ');
  const found = `SELECT ${nothing} FROM keyroster.api_keys WHERE ${cursor}`;
  const checked = `SELECT * FROM (${text}) AS page UNION ALL ${found}`;
  return { name: `${name}_checked`, text: checked, parameters, fields };
}

function pageSql(
  filters: readonly FilterName[],
  direction: Direction | null,
  fields: readonly DeclaredField[],
) {
  const parameters: PageParameter[] = ['organization', 'rows'];
  const placeholder = (parameter: PageParameter) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  };
  const columns = FILTERS_BY_ARGUMENT.map(name => (filters.includes(name) ? filterColumns[name] : 'NULL'));
  const values = FILTERS_BY_ARGUMENT.map(name =>
    filters.includes(name) ? `${placeholder(name)}::text` : 'NULL',
  );
  const conditions = [
    // The organization also by itself: Citus routes the statement to its shard by this condition.
    'organization_id = $1',
    `keyroster.listing(organization_id, ${columns}) = keyroster.listing($1, ${values})`,
    // `listing` is a hash, so rows with the same hash but other values are excluded here.
    ...filters.map(name => `${filterColumns[name]} = ${placeholder(name)}`),
  ];
  if (direction !== null) {
    const cursor = placeholder('cursor');
    const cursorTime = `(SELECT created_at FROM keyroster.api_keys WHERE organization_id = $1 AND id = ${cursor})`;
    conditions.push(`(created_at, id) ${direction === 'before' ? '>' : '<'} (${cursorTime}, ${cursor})`);
  }
  const order = direction === 'before' ? 'created_at, id' : 'created_at DESC, id DESC';
  const declared = fields.map(field => columnAsText(field, 'api_keys'));
  const selected = ['id', 'record', ...declared].join(', ');
  const text = `SELECT ${selected} FROM keyroster.api_keys WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT $2`;
  return { text, parameters };
}
