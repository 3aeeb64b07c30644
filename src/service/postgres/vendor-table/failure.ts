import { DatabaseError } from 'pg';
import { type FilterName, filters as filterTable } from '../../../shared/record/filters.ts';
import { FilterNotServed, StoreUnavailable } from '../../roster/errors.ts';
import { filterColumns } from '../pages/page-sql.ts';
import type { Reads } from '../pages/reads.ts';

/**
 * Classes of SQLSTATE whose messages are of the server, of names and of rights, and never of a value: connections (08), unsupported
 * (0A), read-only (25), logins (28), dependents (2B), catalogues and schemas (3D, 3F), serialization (40), names and rights (42),
 * resources (53), limits (54), locks (55), an operator (57) and the system (58).
 */
const WITHOUT_VALUES = /^(08|0A|25|28|2B|3D|3F|40|42|53|54|55|57|58)/;

/** Those of them that no row can be the cause of. */
const OF_THE_SERVER = /^(03|08|0A|25|26|28|40|53|54|55|57|58|XX)|^42501$/;

/** The message of a failed statement that changes a database, or its SQLSTATE where the message may have a value of a row. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof DatabaseError)) return (error as Error).message;
  const { code = '', where, message } = error;
  // With a context it is from within a function of the vendor's.
  const isHarmless = WITHOUT_VALUES.test(code) && where === undefined;
  return isHarmless ? message : `an expression of the mapping, or a function, fails on a row (${code})`;
}

/** Whether a statement that only reads a view failed on a row of the vendor's. PostgreSQL's message would have the value. */
export function isOfRow(error: unknown): boolean {
  return error instanceof DatabaseError && !OF_THE_SERVER.test(error.code ?? '');
}

const UNDEFINED_COLUMN = '42703';
export const UNDEFINED_TABLE = '42P01';
const CARDINALITY_VIOLATION = '21000';

/**
 * What the failure of a page means over a vendor's own table, which has a column for each filter that is served, and expressions
 * that may fail on a value, and IDs that may not be unique. PostgreSQL's message would have the value, so it isn't kept.
 */
export async function pageError(
  error: unknown,
  reads: Reads,
  asked: readonly FilterName[],
  scope: readonly FilterName[],
): Promise<unknown> {
  if (!(error instanceof StoreUnavailable) || !(error.cause instanceof DatabaseError)) return error;
  const { code = '' } = error.cause;
  if (code === CARDINALITY_VIOLATION)
    return new Error(
      `the vendor's table: several rows have the ID of the cursor (docs/your-table.md#what-a-walk-promises)`,
    );
  if (code === UNDEFINED_COLUMN) {
    const rows = await reads.rows<[string]>({ name: 'keyroster_columns', text: COLUMNS, values: [] });
    const columns = rows.map(([name]) => name);
    const missing = (names: readonly FilterName[]) =>
      names.filter(name => !columns.includes(filterColumns[name]));
    const [beyond] = missing(scope);
    if (beyond)
      return new Error(
        `the vendor's table: a caller's scope needs the filter ${filterTable[beyond].parameter}: add it to "filters" of the mapping`,
      );
    return missing(asked).length > 0 ? new FilterNotServed(missing(asked)) : error;
  }
  const isGone = code === UNDEFINED_TABLE && error.cause.message.includes('keyroster.api_keys');
  if (isGone || !isOfRow(error.cause)) return error;
  return new Error(`the vendor's table: an expression of the mapping fails on a row (${code})`);
}

const COLUMNS = `SELECT attname FROM pg_attribute WHERE attrelid = 'keyroster.api_keys'::regclass AND attnum > 0`;
