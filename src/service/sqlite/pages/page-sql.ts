import type { FilterName } from '../../../shared/record/filters.ts';
import type { DeclaredField } from '../../roster/declared-fields.ts';
import { declaredRecordSql } from '../record.ts';
import { storedStatus } from '../stored-values.ts';

/**
 * The column of each filter, in the order of the index columns. Every combination of the filters but `status` needs an index,
 * which `indexedBy` names; all end in the status. Without it SQLite refuses to prepare the statement, so a missing index can't
 * make a page slow.
 */
export const filterColumns = {
  workspaceId: 'workspace',
  creatorId: 'creator',
  status: 'status',
} as const satisfies Record<FilterName, string>;

const FILTERS_BY_INDEX = Object.keys(filterColumns) as FilterName[];

export type PageParameter = FilterName | 'organization' | 'startTime' | 'startId' | 'end' | 'rows';

/** What a statement depends on; its values don't matter. */
export interface PageShape {
  readonly filters: readonly FilterName[];
  readonly isBackward: boolean;
  /** Whether the page has a bound of this kind: see `PageBounds`. */
  readonly hasStart: boolean;
  readonly hasEnd: boolean;
}

/** The creation time of the key that a cursor names, if it is one that passes these filters. */
export const cursorTimeSql = (filters: readonly FilterName[] = []) =>
  `SELECT created_at FROM api_keys WHERE ${['organization', 'id', ...filters.map(name => filterColumns[name])]
    .map(column => `${column} = ?`)
    .join(' AND ')}`;

/**
 * The statement that reads a page as one row: the number of its rows, and their records joined in the order of the rows. So
 * JavaScript gets one text instead of two for each row. As bytes: V8 would decode a text, and encode it again.
 */
export function joinedPageSql(shape: PageShape, fields: readonly DeclaredField[]) {
  const { sql, parameters } = pageSql(shape, fields.length > 0);
  return {
    sql: `SELECT count(*), CAST(group_concat(${declaredRecordSql(fields)}) AS BLOB) FROM (${sql})`,
    parameters,
  };
}

/**
 * The statement that reads the rows of a page: ranges of one index, which SQLite merges in order. The filters give the range, the
 * bounds its start and end. Nothing is sorted or skipped, so a page costs the same at any depth.
 */
export function pageSql(
  { filters, isBackward, hasStart, hasEnd }: PageShape,
  withDeclared = false,
): { sql: string; parameters: readonly PageParameter[] } {
  const parameters: PageParameter[] = [];
  const placeholder = (parameter: PageParameter) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `?${parameters.indexOf(parameter) + 1}`;
  };
  // Without declared fields the statement is as if there could be none.
  const columns = withDeclared ? 'id, record, created_at, declared' : 'id, record, created_at';
  const ordered = FILTERS_BY_INDEX.filter(name => filters.includes(name));
  const selectRange = (status: string | number | null) => {
    const conditions = [`organization = ${placeholder('organization')}`];
    for (const name of ordered)
      if (name !== 'status') conditions.push(`${filterColumns[name]} = ${placeholder(name)}`);
    if (status !== null) conditions.push(`status = ${status}`);
    if (hasStart) {
      const start = `(${placeholder('startTime')}, ${placeholder('startId')})`;
      conditions.push(`(created_at, id) ${isBackward ? '>' : '<'} ${start}`);
    }
    if (hasEnd) conditions.push(`created_at ${isBackward ? '<' : '>='} ${placeholder('end')}`);
    return `SELECT ${columns} FROM api_keys${indexedBy(ordered)} WHERE ${conditions.join(' AND ')}`;
  };
  const ranges = statusesOf(ordered, placeholder).map(selectRange).join(' UNION ALL ');
  const order = isBackward ? 'created_at, id' : 'created_at DESC, id DESC';
  // The planner uses the value of a bare parameter in LIMIT, so SQLite would prepare the statement again for each value.
  const limit = `${placeholder('rows')} + 0`;
  return { sql: `${ranges} ORDER BY ${order} LIMIT ${limit}`, parameters };
}

/**
 * The status of each range to merge: that of the filter, or every status, as the filter indexes order by it before the creation
 * time. `null`: one range of the primary key, which doesn't contain the status.
 */
function statusesOf(
  ordered: readonly FilterName[],
  placeholder: (parameter: PageParameter) => string,
): (string | number | null)[] {
  if (ordered.includes('status')) return [placeholder('status')];
  return ordered.length > 0 ? Object.values(storedStatus) : [null];
}

/** Names the index: without statistics SQLite may choose the primary key and scan every key that the filter excludes. */
function indexedBy(ordered: readonly FilterName[]): string {
  return ordered.length === 0 ? '' : ` INDEXED BY ${filterIndex(ordered)}`;
}

/** The index of pages with these filters, at least one. */
export function filterIndex(filters: readonly FilterName[]): string {
  const columns = FILTERS_BY_INDEX.filter(name => name !== 'status' && filters.includes(name));
  return `api_keys_${columns.map(name => filterColumns[name]).join('_') || 'status'}`;
}
