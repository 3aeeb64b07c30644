import { DatabaseError } from 'pg';
import { FilterNotServed, StoreUnavailable } from '../../roster/errors.ts';
import type { FilterName } from '../../roster/filters.ts';
import { filterColumns } from '../page-sql.ts';
import type { Reads } from '../serving/reads.ts';
import { isOfRow } from './failure.ts';

const UNDEFINED_COLUMN = '42703';
const UNDEFINED_TABLE = '42P01';
const CARDINALITY_VIOLATION = '21000';

/**
 * What the failure of a page means over a vendor's own table, which has a column for each filter that is served, and expressions
 * that may fail on a value, and IDs that may not be unique. PostgreSQL's message would have the value, so it isn't kept.
 */
export async function pageError(
  error: unknown,
  reads: Reads,
  asked: readonly FilterName[],
): Promise<unknown> {
  if (!(error instanceof StoreUnavailable) || !(error.cause instanceof DatabaseError)) return error;
  const { code = '' } = error.cause;
  if (code === CARDINALITY_VIOLATION)
    return new Error(
      `the vendor's table: several rows have the ID of the cursor; "keyroster check" finds all such rows`,
    );
  if (code === UNDEFINED_COLUMN) {
    const columns = await columnsOf(reads);
    const missing = asked.filter(name => !columns.includes(filterColumns[name]));
    return missing.length > 0 ? new FilterNotServed(missing) : error;
  }
  const isGone = code === UNDEFINED_TABLE && error.cause.message.includes('keyroster.api_keys');
  if (isGone || !isOfRow(error.cause)) return error;
  return new Error(`the vendor's table: an expression of the mapping fails on a row (${code})`);
}

async function columnsOf(reads: Reads): Promise<string[]> {
  const text = `SELECT attname FROM pg_attribute WHERE attrelid = 'keyroster.api_keys'::regclass AND attnum > 0`;
  const rows = await reads.rows<[string]>({ name: 'keyroster_columns', text, values: [] });
  return rows.map(([name]) => name);
}
