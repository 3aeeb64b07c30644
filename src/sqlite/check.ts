import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { type CheckOptions, type CheckReport, type Finding, RowCheck } from '../roster/check.ts';
import { FILTER_NAMES } from '../roster/filters.ts';
import {
  type PageShape,
  type PlanCause,
  type PlanProblems,
  pageShapes,
  planCauses,
} from '../roster/page-shapes.ts';
import { fieldsReader } from './declared-fields.ts';
import { orUnavailable } from './errors.ts';
import { cursorTimeSql, filterColumns, filterIndex, pageSql } from './page-sql.ts';
import { declaredRecord } from './record.ts';
import { migrations } from './schema.ts';
import { openStoreFile } from './store-file.ts';

/** Looks at the plans and the rows of the store, and changes nothing. Throws `Refused` and `StoreUnavailable`. */
export async function check(file: string, options: CheckOptions): Promise<CheckReport> {
  const database = openStoreFile(file, { use: 'read' });
  try {
    return await orUnavailable(() => {
      const shapes = checkPlans(database);
      const fixOf = planFixes(database);
      const ofPlans = planCauses(shapes, filterIndex).map(
        (cause): Finding => ({ about: 'plan', problem: cause.problem, fix: fixOf(cause) }),
      );
      const rows = checkRows(database, options);
      return {
        findings: [...ofPlans, ...rows.findings(ROWS_FIX)],
        looked: { keys: rows.keys, shapes: shapes.length },
        notLookedAt: [],
      };
    });
  } finally {
    database.close();
  }
}

const ROWS_FIX = 'correct the rows with SQL, or restore a backup';

/** Rows between two reports of the progress. */
const ROWS_AT_ONCE = 2000;

type Row = [organization: string | null, id: string, recordTail: string, declared: string | null];

/** Reads row by row, so its memory doesn't grow with the number of rows. */
function checkRows(database: DatabaseSync, { sample, onProgress }: CheckOptions): RowCheck {
  // The order of a checksum has keys of all organizations and times at its beginning.
  database.function('spread', { deterministic: true }, id => crc32(String(id)));
  const rows = database.prepare(`
    SELECT organizations.id, api_keys.id, record, declared
    FROM api_keys LEFT JOIN organizations ON number = organization
    ${sample === undefined ? '' : `ORDER BY spread(api_keys.id) LIMIT ${sample}`}`);
  rows.setReturnArrays(true);
  const fields = fieldsReader(database)();
  const check = new RowCheck(fields);
  for (const row of rows.iterate()) {
    const [organizationId, id, tail, declared] = row as unknown as Row;
    check.add({ organizationId, id, record: declaredRecord(id, tail, fields, declared) });
    if (check.keys % ROWS_AT_ONCE === 0) onProgress?.(check.keys);
  }
  return check;
}

/** Looks at the plan of every page. */
function checkPlans(database: DatabaseSync): (PageShape & PlanProblems)[] {
  const cursor = statementProblems(database, cursorTimeSql('?', '?'), ['organization=?', 'id=?']);
  return pageShapes(FILTER_NAMES).map(({ filters, direction }) => {
    // With any filter each range is of one status, too.
    const columns = filters.length > 0 ? [...filters.map(name => filterColumns[name]), 'status'] : [];
    const range = ['organization', ...columns].map(column => `${column}=?`);
    if (direction !== null) range.push(`(created_at,id)${direction === 'before' ? '>' : '<'}(?,?)`);
    const { sql } = pageSql(filters, direction);
    const page = statementProblems(database, sql, range);
    return { filters, direction, page, cursor: direction === null ? [] : cursor };
  });
}

/** What is wrong with the plan of a statement, each of whose ranges of an index must have all these conditions. */
function statementProblems(database: DatabaseSync, sql: string, range: readonly string[]): string[] {
  const steps = planOf(database, sql);
  return typeof steps === 'string' ? [steps] : steps.flatMap(step => stepProblem(step, range) ?? []);
}

/** The steps, or why there is no plan: a page names its index. The lookup of its cursor is left out: it is looked at by itself. */
function planOf(database: DatabaseSync, sql: string): string[] | string {
  try {
    const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    const subqueries = rows.filter(({ detail }) => String(detail).startsWith('SCALAR SUBQUERY'));
    const ofPage = rows.filter(({ parent }) => !subqueries.some(({ id }) => id === parent));
    return ofPage.map(({ detail }) => String(detail));
  } catch (error) {
    const { message } = error as Error;
    if (message === 'no query solution') return "can't use it";
    if (message.startsWith('no such index: ')) return "doesn't have it";
    throw error;
  }
}

function stepProblem(step: string, range: readonly string[]): string | undefined {
  if (step.includes('TEMP B-TREE')) return 'sorts';
  if (step.startsWith('SCAN api_keys')) return 'reads the whole table';
  if (!step.startsWith('SEARCH api_keys')) return undefined;
  // Such as `SEARCH api_keys USING INDEX api_keys_status (organization=? AND status=? AND (created_at,id)<(?,?))`.
  const conditions = /\((.*)\)$/.exec(step)?.[1]?.split(' AND ') ?? [];
  return range.every(condition => conditions.includes(condition)) ? undefined : 'reads more than it has to';
}

/** The statement that mends plans. */
function planFixes(database: DatabaseSync): (cause: PlanCause) => string {
  return ({ index }) => {
    // Without a filter a page is a range of the table itself.
    const name = index === null ? 'api_keys_id' : filterIndex(index);
    const create =
      new RegExp(`CREATE (UNIQUE )?INDEX ${name}\\s[^;]*`).exec(
        migrations.map(({ sql }) => sql).join('\n'),
      )?.[0] ?? '';
    const statement = create.replace(/\s+/g, ' ');
    const exists = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
    return exists ? `DROP INDEX ${name}; ${statement}` : statement;
  };
}
