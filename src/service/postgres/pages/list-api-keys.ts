import { isDeepStrictEqual } from 'node:util';
import { DatabaseError } from 'pg';
import { activeFilters } from '../../../shared/record/filters.ts';
import type { OrganizationId } from '../../../shared/record/identifier.ts';
import { type CreationRange, filterInScope, type ListQuery } from '../../../shared/record/list-query.ts';
import type { Timestamp } from '../../../shared/record/timestamp.ts';
import { StoreUnavailable } from '../../roster/errors.ts';
import { EMPTY_PAGE, JoinedPage, pageOf } from '../../roster/pages/joined-page.ts';
import { OtherColumn } from '../declared-fields.ts';
import { timestamptz } from '../timestamp.ts';
import { checkedRecord, checkedRecordWith } from '../vendor-table/checked-record.ts';
import { pageError } from '../vendor-table/failure.ts';
import type { PageTable } from '../vendor-table/own-table.ts';
import { type PageParameter, type PageStatement, pageStatement, withCursorFound } from './page-sql.ts';
import type { PageReads, Reads } from './reads.ts';

/** Reads a page with one statement, which looks the cursor up and then reads one range of one index. */
export async function listApiKeys(
  reads: PageReads,
  organization: OrganizationId,
  query: ListQuery,
): Promise<JoinedPage | null> {
  const known = reads.table.current();
  const table = known instanceof Promise ? await known : known;
  const found = reads.pages(organization);
  const pages = found instanceof Promise ? await found : found;
  try {
    return await readPage(pages, organization, query, table);
  } catch (error) {
    if (table.fields.length === 0 || !mayBeOfFields(error)) throw error;
    const now = await reads.table.refresh();
    if (isDeepStrictEqual(now, table)) throw error;
    return await readPage(pages, organization, query, now);
  }
}

/** Whether a column that was selected may not be there any more, or not as it was. */
function mayBeOfFields(error: unknown): boolean {
  if (error instanceof OtherColumn) return true;
  const { cause } = error as Error;
  return error instanceof StoreUnavailable && cause instanceof DatabaseError && /^42/.test(cause.code ?? '');
}

async function readPage(
  reads: Reads,
  organization: OrganizationId,
  query: ListQuery,
  { fields, isAdopted }: PageTable,
): Promise<JoinedPage | null> {
  const { cursor, limit, scope = {}, created = {} } = query;
  const inScope = filterInScope(query);
  if (inScope === null && cursor === null) return EMPTY_PAGE;
  const filter = inScope ?? scope;
  const shape = {
    filters: activeFilters(filter),
    direction: cursor?.direction ?? null,
    scope: cursor ? activeFilters(scope) : [],
    created: Object.keys(created) as (keyof CreationRange)[],
  };
  const statement = pageStatement(shape, fields);
  const values: Partial<Record<PageParameter, string | number | undefined>> = {
    ...filter,
    organization,
    cursor: cursor?.id,
    from: timeOf(created.from),
    before: timeOf(created.before),
    rows: inScope ? limit + 1 : 0, // only to see whether the cursor is known
  };
  const bound = statement.parameters.map(parameter => values[parameter]);
  const readRows = <Row extends unknown[]>({ name, text }: Pick<PageStatement, 'name' | 'text'>) =>
    rowsOf<Row>(reads, query, { name, text, values: bound });
  const isBackward = cursor?.direction === 'before';
  const isJoinable = !isAdopted && fields.length === 0;
  const [[found, joined] = []] = isJoinable ? await readRows<JoinedRow>(statement.joined) : [];
  // A table that was adopted since the last look has records that need a check.
  if (joined?.startsWith('{')) {
    const { buffer } = encoder.encode(joined); // memory of its own, which is given back once it is sent
    return pageOf(Number(found), Buffer.from(buffer), limit, isBackward, buffer);
  }
  let rows = found === '0' ? [] : await readRows<PageRow>(statement);
  // When no row is found, the cursor may be unknown: then its creation time is NULL, which no row compares with.
  if (rows.length === 0 && cursor) {
    const found = await readRows<PageRow>(withCursorFound(statement));
    rows = found.filter(([id]) => id !== null);
    if (rows.length === found.length) return null;
  }

  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  if (isBackward) rows.reverse();
  const records =
    fields.length === 0
      ? rows.map(([id, record]) => checkedRecord(id, record))
      : rows.map(([id, record, ...texts]) => checkedRecordWith(id, record, fields, texts));
  return new JoinedPage(Buffer.from(records.join()), rows.length, hasMore);
}

/** 1970 is zero. */
const timeOf = (time: Timestamp | undefined) => (time === undefined ? undefined : timestamptz(time));

const encoder = new TextEncoder();

type PageRow = [id: string, record: string, ...declared: (string | null)[]];
type JoinedRow = [count: string, records: string | null];

async function rowsOf<Row extends unknown[]>(
  reads: Reads,
  { filter, scope = {} }: ListQuery,
  statement: Parameters<Reads['rows']>[0],
): Promise<Row[]> {
  try {
    return await reads.rows(statement);
  } catch (error) {
    throw await pageError(error, reads, activeFilters(filter), activeFilters(scope));
  }
}
