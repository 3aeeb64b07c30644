import type { Client } from 'pg';
import { Refused } from '../../../shared/record/faults.ts';
import { type Finding, RowCheck } from '../../roster/check.ts';
import { columnAsText, recordWith } from '../declared-fields.ts';
import { isOfRow, reasonOf } from '../vendor-table/failure.ts';
import { hasUnlistedRows } from '../vendor-table/mapping.ts';
import { type ListedRelation, listFields } from '../vendor-table/own-table.ts';

/** Rows in memory at once. */
const ROWS_AT_ONCE = 500;

/** The service's role has others, for pages. On Citus the workers need them too. */
const FOR_ALL_ROWS = [
  "citus.propagate_set_commands = 'local'",
  'statement_timeout = 0',
  'enable_seqscan = on',
  'enable_sort = on',
];

/** Reads the rows as they are listed, in a transaction that only reads. Its memory doesn't grow with their number. Throws `Refused`. */
export async function checkRows(
  client: Client,
  { isView, mapping }: ListedRelation,
): Promise<{ findings: Finding[]; keys: number }> {
  const fields = await listFields(client);
  const check = new RowCheck(fields);
  const declared = fields.map(field => `, ${columnAsText(field, 'api_keys')}`).join('');
  const listed = mapping && hasUnlistedRows(mapping) ? 'WHERE organization_id IS NOT NULL' : '';
  await client.query('BEGIN READ ONLY');
  for (const setting of FOR_ALL_ROWS) await client.query(`SET LOCAL ${setting}`);
  try {
    await client.query(`DECLARE listed NO SCROLL CURSOR FOR
      SELECT organization_id, id, record${declared} FROM keyroster.api_keys ${listed}`);
    for (let isRead = false; !isRead; ) {
      const text = `FETCH ${ROWS_AT_ONCE} FROM listed`;
      const { rows } = await client.query<(string | null)[]>({ text, rowMode: 'array' });
      for (const [organizationId = null, id = null, own = null, ...more] of rows)
        check.add({ organizationId, id, record: own === null ? null : recordWith(own, fields, more) });
      isRead = rows.length < ROWS_AT_ONCE;
    }
  } catch (error) {
    throw isView && isOfRow(error) ? new Refused(`check: ${reasonOf(error)}: ${TOTAL_FIX}`) : error;
  } finally {
    await client.query('ROLLBACK').catch(() => {}); // fails where the connection broke
  }
  return { findings: check.findings(isView ? VENDOR_FIX : OWN_FIX), keys: check.keys };
}

const OWN_FIX = 'correct the rows with SQL';
const VENDOR_FIX =
  'correct the rows, or the mapping: a value for each status, an expression for what may be NULL';
const TOTAL_FIX = 'make the expressions ones that no value fails';
