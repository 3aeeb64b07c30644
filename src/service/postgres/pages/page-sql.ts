import type { FilterName } from '../../../shared/record/filters.ts';
import type { CreationRange, Direction } from '../../../shared/record/list-query.ts';
import { type DeclaredField, NO_FIELDS } from '../../roster/declared-fields.ts';
import type { ColumnName } from '../columns.ts';
import { columnAsText } from '../declared-fields.ts';

/**
 * The column of each filter, in the order of the arguments of `keyroster.listing`. Every combination of filters has an index
 * on `listing`. With a filter that no migration has added to that function, PostgreSQL refuses the statement, so a missing
 * index can't make a page slow.
 */
export const filterColumns = {
  status: 'status',
  workspaceId: 'workspace_id',
  creatorId: 'created_by_id',
} as const satisfies Record<FilterName, ColumnName>;

export const FILTERS_BY_ARGUMENT = Object.keys(filterColumns) as FilterName[];

export type PageParameter = FilterName | keyof CreationRange | 'organization' | 'cursor' | 'rows';

/** What a statement depends on; its values don't matter. */
export interface PageShape {
  /** Those of the scope too. */
  readonly filters: readonly FilterName[];
  readonly direction: Direction | null;
  /** What the cursor has to pass. */
  readonly scope?: readonly FilterName[];
  readonly created?: readonly (keyof CreationRange)[];
}

/** A named statement, which PostgreSQL parses once per connection. */
export interface PageStatement {
  readonly name: string;
  readonly text: string;
  /** What finds the key that the cursor names, after `SELECT … `. */
  readonly cursorSql: string;
  readonly parameters: readonly PageParameter[];
  /** Whose columns it selects after the record. */
  readonly fields: readonly DeclaredField[];
  /**
   * The same page as one row, of how many keys it has and of their records with commas between them. A sorted subquery keeps its order
   * in an aggregate that has nothing beside it (PostgreSQL: Aggregate Functions).
   */
  readonly joined: { readonly name: string; readonly text: string };
}

const statements = new Map<string, PageStatement>();

/**
 * The statement that reads a page: one range of the index of its combination of filters. Its name is a number, as PostgreSQL tells
 * names by their first 63 characters.
 */
export function pageStatement(shape: PageShape, fields: readonly DeclaredField[] = NO_FIELDS): PageStatement {
  // A process may have several databases, whose fields have the same numbers.
  const columns = fields.map(({ number, name, type }) => `${number} ${name} ${type.kind}`);
  const key = `${Object.values(shape).join(' ')} ${columns}`;
  const known = statements.get(key);
  if (known) return known;
  const name = `keyroster_page_${statements.size}`;
  const sql = pageSql(shape, fields);
  const joined = {
    name: `${name}_joined`,
    text: `SELECT count(*), string_agg(record, ',') FROM (${sql.text}) AS page`,
  };
  const statement = { name, ...sql, fields, joined };
  statements.set(key, statement);
  return statement;
}

/**
 * The same page, and with it a row of `NULL` when there is the key that the cursor names: in one statement, as a vendor may delete
 * and insert that key at any time.
 */
export function withCursorFound({
  name,
  text,
  cursorSql,
  fields,
}: PageStatement): Pick<PageStatement, 'name' | 'text'> {
  const nothing = ['id', 'record', ...fields].map(() => 'NULL').join(', ');
  const checked = `SELECT * FROM (${text}) AS page UNION ALL SELECT ${nothing} ${cursorSql}`;
  return { name: `${name}_checked`, text: checked };
}

function pageSql(
  { filters, direction, scope = [], created = [] }: PageShape,
  fields: readonly DeclaredField[],
): Pick<PageStatement, 'text' | 'cursorSql' | 'parameters'> {
  const parameters: PageParameter[] = ['organization', 'rows'];
  const placeholder = (parameter: PageParameter) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  };
  const time = (bound: keyof CreationRange) => `${placeholder(bound)}::timestamptz`;
  const passes = (name: FilterName) => `${filterColumns[name]} = ${placeholder(name)}`;
  const columns = FILTERS_BY_ARGUMENT.map(name => (filters.includes(name) ? filterColumns[name] : 'NULL'));
  const values = FILTERS_BY_ARGUMENT.map(name =>
    filters.includes(name) ? `${placeholder(name)}::text` : 'NULL',
  );
  const conditions = [
    // The organization also by itself: Citus routes the statement to its shard by this condition.
    'organization_id = $1',
    `keyroster.listing(organization_id, ${columns}) = keyroster.listing($1, ${values})`,
    // `listing` is a hash, so rows with the same hash but other values are excluded here.
    ...filters.map(passes),
  ];
  const cursor = direction === null ? '' : placeholder('cursor');
  const isCursor = ['organization_id = $1', `id = ${cursor}`, ...scope.map(passes)].join(' AND ');
  const cursorSql = `FROM keyroster.api_keys WHERE ${isCursor}`;
  const isBackward = direction === 'before';
  const [first, last] = isBackward ? (['from', 'before'] as const) : (['before', 'from'] as const);
  if (direction !== null)
    conditions.push(startSql(isBackward, cursorSql, cursor, created.includes(first) ? time(first) : null));
  else if (created.includes(first)) conditions.push(`created_at < ${time(first)}`);
  if (created.includes(last)) conditions.push(`created_at ${isBackward ? '<' : '>='} ${time(last)}`);
  const order = isBackward ? 'created_at, id' : 'created_at DESC, id DESC';
  const declared = fields.map(field => columnAsText(field, 'api_keys'));
  const selected = ['id', 'record', ...declared].join(', ');
  const text = `SELECT ${selected} FROM keyroster.api_keys WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT $2`;
  return { text, cursorSql, parameters };
}

/** One start, the narrower of cursor and range (see `pageBounds`). An unknown cursor has no time, and no row compares with that. */
function startSql(isBackward: boolean, cursorSql: string, cursor: string, bound: string | null): string {
  const [comparison, narrower, isInRange] = isBackward ? ['>', 'greatest', '>='] : ['<', 'least', '<'];
  const time = bound === null ? 'created_at' : `${narrower}(created_at, ${bound})`;
  const narrowerId = `(SELECT CASE WHEN created_at ${isInRange} ${bound} THEN id ELSE '' END ${cursorSql})`;
  return `(created_at, id) ${comparison} ((SELECT ${time} ${cursorSql}), ${bound === null ? cursor : narrowerId})`;
}
