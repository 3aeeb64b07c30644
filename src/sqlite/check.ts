import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { type CheckOptions, type CheckReport, type Finding, RowCheck } from '../roster/check.ts';
import { planCauses } from '../roster/page-shapes.ts';
import { checkPlans, planFixes } from './check-plans.ts';
import { fieldsReader } from './declared-fields.ts';
import { orUnavailable } from './errors.ts';
import { filterIndex } from './page-sql.ts';
import { declaredRecord } from './record.ts';
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
