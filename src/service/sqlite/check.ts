import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { FILTER_NAMES, type FilterName } from '../../shared/record/filters.ts';
import { type CheckOptions, type CheckReport, RowCheck } from '../roster/check.ts';
import { filterCombinations, indexFindings, type PageIndex } from '../roster/page-indexes.ts';
import { fieldsReader } from './declared-fields.ts';
import { orUnavailable } from './errors.ts';
import { filterIndex } from './page-sql.ts';
import { declaredRecord } from './record.ts';
import { migrations } from './schema.ts';
import { openStoreFile } from './store-file.ts';

/** Looks at the indexes of pages and the rows of the store, and changes nothing. Throws `Refused` and `StoreUnavailable`. */
export async function check(file: string, options: CheckOptions): Promise<CheckReport> {
  const database = openStoreFile(file, { use: 'read' });
  try {
    return await orUnavailable(() => {
      const combinations = filterCombinations(FILTER_NAMES);
      const ofIndexes = indexFindings(combinations, filters => indexOf(database, filters));
      const rows = checkRows(database, options);
      return {
        findings: [...ofIndexes, ...rows.findings(ROWS_FIX)],
        looked: { keys: rows.keys, filters: combinations.length },
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

/** The index that finds the key of a cursor. */
const CURSOR_INDEX = 'api_keys_id';

/** Without a filter a page is a range of the table itself. */
const NO_INDEX: PageIndex = { name: '', problem: null, fix: '' };

/** Each page names its index, and a store has no statistics: so its plan is right where the index is. */
function indexOf(database: DatabaseSync, filters: readonly FilterName[] | null): PageIndex {
  if (filters?.length === 0) return NO_INDEX;
  const name = filters === null ? CURSOR_INDEX : filterIndex(filters);
  const stored = storedStatement(database, name);
  const create = createStatement(name);
  if (stored === null) return { name, problem: "doesn't have it", fix: create };
  const problem = stored === create ? null : 'has another one of that name';
  return { name, problem, fix: `DROP INDEX ${name}; ${create}` };
}

function createStatement(index: string): string {
  const schema = migrations.map(({ sql }) => sql).join('\n');
  return inOneLine(new RegExp(`CREATE (UNIQUE )?INDEX ${index}\\s[^;]*`).exec(schema)?.[0] ?? '');
}

function storedStatement(database: DatabaseSync, index: string): string | null {
  const stored = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(index);
  return stored ? inOneLine(String(stored.sql)) : null;
}

const inOneLine = (sql: string) => sql.replace(/\s+/g, ' ');
