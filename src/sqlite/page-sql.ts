import type { FilterName } from '../roster/filters.ts';
import type { Direction } from '../roster/list-query.ts';
import { storedStatus } from './stored-values.ts';

/**
 * The columns of the filters. Each combination of them needs its index, which `indexOf` names: a filter without one is an error of
 * SQLite's when the statement is prepared, never a slow or a wrong page.
 */
const filterColumns = {
  workspaceId: 'workspace',
  creatorId: 'creator',
  status: 'status',
} as const satisfies Record<FilterName, string>;

/** In the order of the columns of the indexes. */
const FILTERS_BY_INDEX = Object.keys(filterColumns) as FilterName[];

export type PageParameter = FilterName | 'organization' | 'createdAt' | 'id' | 'rows';

/**
 * The statement of a page: a range of one index. The filters say where the range is, the cursor where in it to start, and
 * SQLite reads from there in order. Nothing is sorted or skipped, so a page costs the same at any depth.
 */
export function pageSql(
  filters: readonly FilterName[],
  direction: Direction | null,
): { sql: string; parameters: readonly PageParameter[] } {
  const parameters: PageParameter[] = [];
  const bound = (parameter: PageParameter) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `?${parameters.indexOf(parameter) + 1}`;
  };
  const given = FILTERS_BY_INDEX.filter(name => filters.includes(name));
  const range = (status: string | number | null) => {
    const conditions = [`organization = ${bound('organization')}`];
    for (const name of given)
      if (name !== 'status') conditions.push(`${filterColumns[name]} = ${bound(name)}`);
    if (status !== null) conditions.push(`status = ${status}`);
    if (direction !== null) {
      const beyond = direction === 'before' ? '>' : '<';
      conditions.push(`(created_at, id) ${beyond} (${bound('createdAt')}, ${bound('id')})`);
    }
    return `SELECT id, record, created_at FROM api_keys${indexOf(given)} WHERE ${conditions.join(' AND ')}`;
  };
  const merged = rangesOf(given, bound).map(range).join(' UNION ALL ');
  const order = direction === 'before' ? 'created_at, id' : 'created_at DESC, id DESC';
  // SQLite plans by the value of a bare parameter in LIMIT, and so would prepare the statement again each time it is bound.
  const limit = `${bound('rows')} + 0`;
  return { sql: `SELECT id, record FROM (${merged} ORDER BY ${order} LIMIT ${limit})`, parameters };
}

/** The status of each range that makes up the page: the one of the filter, or all where the index has the status. */
function rangesOf(
  given: readonly FilterName[],
  bound: (parameter: PageParameter) => string,
): (string | number | null)[] {
  if (given.includes('status')) return [bound('status')];
  return given.length > 0 ? Object.values(storedStatus) : [null];
}

/** Named outright: without statistics SQLite may prefer the primary key and step over every key that the filter drops. */
function indexOf(given: readonly FilterName[]): string {
  if (given.length === 0) return '';
  const columns = given.filter(name => name !== 'status').map(name => filterColumns[name]);
  return ` INDEXED BY api_keys_${columns.length > 0 ? columns.join('_') : 'status'}`;
}
