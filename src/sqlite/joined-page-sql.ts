import type { DeclaredField } from '../roster/declared-fields.ts';
import type { FilterName } from '../roster/filters.ts';
import type { Direction } from '../roster/list-query.ts';
import { pageSql } from './page-sql.ts';
import { declaredRecordSql } from './record.ts';

/**
 * The statement that reads a page as one row: the number of its rows, and their records joined in the order of the rows. So
 * JavaScript gets one text instead of two for each row. A text and no BLOB: see docs/architecture.md.
 */
export function joinedPageSql(
  filters: readonly FilterName[],
  direction: Direction | null,
  fields: readonly DeclaredField[],
) {
  const { sql, parameters } = pageSql(filters, direction, fields.length > 0);
  return { sql: `SELECT count(*), group_concat(${declaredRecordSql(fields)}) FROM (${sql})`, parameters };
}
