import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  activeFilters,
  type Filter,
  type FilterName,
  type FilterValue,
} from '../../../shared/record/filters.ts';
import type { ApiKeyId, OrganizationId } from '../../../shared/record/identifier.ts';
import { filterInScope, type ListQuery } from '../../../shared/record/list-query.ts';
import type { Timestamp } from '../../../shared/record/timestamp.ts';
import type { DeclaredField } from '../../roster/declared-fields.ts';
import { EMPTY_PAGE, type JoinedPage, pageOf } from '../../roster/pages/joined-page.ts';
import { type Place, pageBounds } from '../../roster/pages/page-bounds.ts';
import { storedStatus } from '../stored-values.ts';
import { cursorTimeSql, joinedPageSql, type PageParameter, type PageShape } from './page-sql.ts';

/**
 * Reads pages over this connection. Its statements are prepared once.
 *
 * @param declaredFields those that there are now.
 */
export function pageReader(database: DatabaseSync, declaredFields: () => readonly DeclaredField[]) {
  const numbers = { organizations: new Map(), workspaces: new Map(), creators: new Map() };
  const organizationNumber = numberLookup(
    database,
    'SELECT number FROM organizations WHERE id = ?',
    numbers.organizations,
  );
  const storedValues = filterValueLookup(database, numbers);
  const positionOf = positionLookup(database);
  const pageStatement = pageStatements(database);

  function listApiKeys(organizationId: OrganizationId, query: ListQuery): JoinedPage | null {
    const { cursor, limit, created, scope = {} } = query;
    const organization = organizationNumber(organizationId);
    // Callers who aren't known by an admin key of this store may be of an organization that it doesn't have.
    const scopeValues = organization === undefined ? null : storedValues(organization, scope);
    if (organization === undefined || scopeValues === null) return cursor ? null : EMPTY_PAGE;

    const position = cursor && positionOf(organization, cursor.id, scopeValues);
    if (position === undefined) return null;
    const direction = cursor?.direction ?? 'after';
    const { start, end } = pageBounds(direction, position, created);

    const filter = filterInScope(query);
    const filterValues = filter && storedValues(organization, filter);
    if (!filterValues) return EMPTY_PAGE;
    const isBackward = direction === 'before';
    const shape = {
      filters: activeFilters(filter),
      isBackward,
      hasStart: start !== null,
      hasEnd: end !== null,
    };
    const { statement, parameters } = pageStatement(shape, declaredFields());
    const [startTime, startId] = [start?.createdAt, start?.id];
    const values = { organization, startTime, startId, end, rows: limit + 1, ...filterValues };
    const bound = parameters.map(parameter => values[parameter] ?? null);
    const [rows, records] = statement.get(...bound) as unknown as JoinedRow;
    if (records === null) return EMPTY_PAGE;
    return pageOf(rows, Buffer.from(records.buffer), limit, isBackward, records.buffer);
  }

  return {
    listApiKeys,
    /** To be called when the store may have changed since the last page. */
    forgetNumbers(): void {
      for (const cached of Object.values(numbers)) cached.clear();
    },
  };
}

type JoinedRow = [rows: number, records: Uint8Array<ArrayBuffer> | null];

type StoredFilterValues = { [Name in FilterName]?: number };

/** Looks up the stored values of a filter; `null` when one of them isn't stored, so that no key can match. */
function filterValueLookup(
  database: DatabaseSync,
  numbers: Readonly<Record<'workspaces' | 'creators', Map<string, number>>>,
): (organization: number, filter: Filter) => StoredFilterValues | null {
  const numberIn = (table: 'workspaces' | 'creators') =>
    numberLookup(database, `SELECT number FROM ${table} WHERE organization = ? AND id = ?`, numbers[table]);
  const lookups: {
    readonly [Name in FilterName]: (organization: number, value: FilterValue<Name>) => number | undefined;
  } = {
    status: (_, status) => storedStatus[status],
    workspaceId: numberIn('workspaces'),
    creatorId: numberIn('creators'),
  };
  const lookup = <Name extends FilterName>(name: Name, organization: number, value: FilterValue<Name>) =>
    lookups[name](organization, value);

  return (organization, filter) => {
    const values: StoredFilterValues = {};
    for (const name of activeFilters(filter)) {
      const value = lookup(name, organization, filter[name] as FilterValue<typeof name>);
      if (value === undefined) return null;
      values[name] = value;
    }
    return values;
  };
}

/** Far more than are in use at a time. When the cache is full, it is cleared. */
const MAX_CACHED_NUMBERS = 10_000;

/** Looks up the number of an ID, and caches it. After a deletion another ID may have it: see `forgetNumbers`. */
function numberLookup(
  database: DatabaseSync,
  sql: string,
  cached: Map<string, number>,
): (...ids: (string | number)[]) => number | undefined {
  const statement = database.prepare(sql);
  return (...ids) => {
    const key = ids.join(' ');
    const known = cached.get(key);
    if (known !== undefined) return known;
    const number = statement.get(...ids)?.number as number | undefined;
    if (cached.size === MAX_CACHED_NUMBERS) cached.clear();
    if (number !== undefined) cached.set(key, number);
    return number;
  };
}

/** Looks up where the key is that a cursor names; `undefined`: there is none that passes the filter. */
function positionLookup(database: DatabaseSync) {
  const prepared = new Map<string, StatementSync>();
  const prepare = (names: readonly string[]) => {
    const statement = database.prepare(cursorTimeSql(names as FilterName[]));
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    prepared.set(names.join(), statement);
    return statement;
  };
  return (organization: number, id: ApiKeyId, filter: StoredFilterValues): Place | undefined => {
    const names = Object.keys(filter);
    const statement = prepared.get(names.join()) ?? prepare(names);
    const row = statement.get(organization, id, ...Object.values(filter)) as [Timestamp] | undefined;
    return row && { createdAt: row[0], id };
  };
}

interface PageStatement {
  readonly statement: StatementSync;
  readonly parameters: readonly PageParameter[];
}

function pageStatements(database: DatabaseSync) {
  const prepared = new Map<string, PageStatement>();
  let preparedFor = '';
  return (shape: PageShape, fields: readonly DeclaredField[]): PageStatement => {
    const fieldsKey = fields.map(({ number, name }) => `${number} ${name}`).join();
    if (fieldsKey !== preparedFor) prepared.clear();
    preparedFor = fieldsKey;
    const key = Object.values(shape).join(' ');
    const known = prepared.get(key);
    if (known) return known;
    const { sql, parameters } = joinedPageSql(shape, fields);
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    prepared.set(key, { statement, parameters });
    return { statement, parameters };
  };
}
