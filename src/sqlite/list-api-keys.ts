import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { STATUSES } from '../roster/api-key.ts';
import { StoreUnavailable } from '../roster/errors.ts';
import type { OrganizationId } from '../roster/identifier.ts';
import type { Cursor, ListQuery } from '../roster/list-query.ts';
import type { Page, PageItem } from '../roster/page.ts';
import { type PageShape, shapeOf } from '../roster/page-shape.ts';
import { wholeRecord } from './record.ts';
import { statusNumber } from './schema.ts';

/**
 * A page is a range of one index: the filter's columns name where the range lies, the cursor where in it to
 * start, and SQLite walks from there in order. Nothing is sorted or skipped, so depth costs nothing.
 */
export function pageReader(database: DatabaseSync) {
  const prepared = new Map<string, PageStatement>();
  const organizationNumber = numberFinder(database, 'SELECT number FROM organizations WHERE id = ?');
  const workspaceNumber = numberFinder(
    database,
    'SELECT number FROM workspaces WHERE organization = ? AND id = ?',
  );
  const creatorNumber = numberFinder(
    database,
    'SELECT number FROM creators WHERE organization = ? AND id = ?',
  );
  const cursorTime = database.prepare('SELECT created_at FROM api_keys WHERE organization = ? AND id = ?');
  cursorTime.setReadBigInts(true);

  function prepare(shape: PageShape): PageStatement {
    const name = JSON.stringify(shape);
    const known = prepared.get(name);
    if (known) return known;
    const { sql, parameters } = pageSql(shape);
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    const made = { statement, parameters };
    prepared.set(name, made);
    return made;
  }

  return function listApiKeys(organizationId: OrganizationId, query: ListQuery): Page | null {
    const { filter, cursor, limit } = query;
    const organization = organizationNumber(organizationId);
    // Its admin key was found a moment ago, and organizations are never deleted: another store took the place of that.
    if (organization === undefined)
      throw new StoreUnavailable('SQLite: the file was replaced between two reads');

    // A cursor's time never changes, so looking it up before the page, not in one snapshot with it, is exact.
    const created_at = cursor ? cursorTime.get(organization, cursor.id)?.created_at : null;
    if (created_at === undefined) return null;

    const workspace = filter.workspaceId ? workspaceNumber(organization, filter.workspaceId) : null;
    const creator = filter.creatorId ? creatorNumber(organization, filter.creatorId) : null;
    if (workspace === undefined || creator === undefined) return EMPTY;

    const { statement, parameters } = prepare(shapeOf(query));
    const status = filter.status ? (statusNumber[filter.status] ?? null) : null;
    const values = {
      organization,
      status,
      workspace,
      creator,
      created_at,
      id: cursor?.id ?? null,
      rows: limit + 1,
    };
    const rows = statement.all(...parameters.map(parameter => values[parameter])) as unknown as [
      id: string,
      record: string,
    ][];
    return pageOf(rows, limit, cursor);
  };
}

/** Far more than are in use at a time; with more, they are looked up again. */
const MAX_NUMBERS = 10_000;

/** Looks up the number that stands for an ID. It never changes, so one that was found is remembered. */
function numberFinder(
  database: DatabaseSync,
  sql: string,
): (...ids: (string | number)[]) => number | undefined {
  const statement = database.prepare(sql);
  const known = new Map<string, number>();
  return (...ids) => {
    const name = ids.join(' ');
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    const number = statement.get(...ids)?.number as number | undefined;
    if (known.size === MAX_NUMBERS) known.clear();
    if (number !== undefined) known.set(name, number);
    return number;
  };
}

const EMPTY: Page = { items: [], hasMore: false };

/** One row more than the limit was asked for: whether it came is `hasMore`. */
function pageOf(rows: [id: string, record: string][], limit: number, cursor: Cursor | null): Page {
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  if (cursor?.direction === 'before') rows.reverse();
  return { items: rows.map(([id, tail]) => ({ id, record: wholeRecord(id, tail) }) as PageItem), hasMore };
}

type Parameter = 'organization' | 'status' | 'workspace' | 'creator' | 'created_at' | 'id' | 'rows';

interface PageStatement {
  readonly statement: StatementSync;
  readonly parameters: readonly Parameter[];
}

export function pageSql(shape: PageShape): { sql: string; parameters: readonly Parameter[] } {
  const parameters: Parameter[] = [];
  const bound = (parameter: Parameter) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `?${parameters.indexOf(parameter) + 1}`;
  };
  const order = shape.direction === 'before' ? 'created_at, id' : 'created_at DESC, id DESC';
  const range = (status: string | number | null) => {
    const conditions = [`organization = ${bound('organization')}`];
    if (shape.workspace) conditions.push(`workspace = ${bound('workspace')}`);
    if (shape.creator) conditions.push(`creator = ${bound('creator')}`);
    if (status !== null) conditions.push(`status = ${status}`);
    if (shape.direction !== null) {
      const beyond = shape.direction === 'before' ? '>' : '<';
      conditions.push(`(created_at, id) ${beyond} (${bound('created_at')}, ${bound('id')})`);
    }
    return `SELECT id, record, created_at FROM api_keys${indexOf(shape)} WHERE ${conditions.join(' AND ')}`;
  };
  const merged = rangesOf(shape, bound).map(range).join(' UNION ALL ');
  // With a bare parameter for a limit SQLite plans by its value, and so prepares the statement anew each time it is bound.
  const limit = `${bound('rows')} + 0`;
  return { sql: `SELECT id, record FROM (${merged} ORDER BY ${order} LIMIT ${limit})`, parameters };
}

/** The statuses whose ranges make up the page: the one asked for, or all of them where the index holds the status. */
function rangesOf(shape: PageShape, bound: (parameter: Parameter) => string): (string | number | null)[] {
  if (shape.status) return [bound('status')];
  return shape.workspace || shape.creator ? STATUSES.map((_, number) => number) : [null];
}

/** Named outright: without statistics SQLite may prefer the primary key and step over every key the filter drops. */
function indexOf({ status, workspace, creator }: PageShape): string {
  const columns = [workspace && 'workspace', creator && 'creator'].filter(Boolean);
  if (columns.length > 0) return ` INDEXED BY api_keys_${columns.join('_')}`;
  return status ? ' INDEXED BY api_keys_status' : '';
}
