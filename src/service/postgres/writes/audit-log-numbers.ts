import type { Client } from 'pg';
import type { Statements } from '../statements.ts';
import { inRetriedTransaction, type OnWaiting } from '../transaction.ts';

export const NEXT_NUMBER_IS_TAKEN =
  'the next number of the audit log is taken, as after a logical replication';
export const STEP = 'let the audit log go on behind its last number, as its next one is taken';

/**
 * Whether its sequence is behind: a replication copies rows without it. `false` where there is no audit log, or where the
 * role may not read both.
 */
export async function isNextNumberTaken(client: Statements): Promise<boolean> {
  const { rows: readable } = await client.query(READABLE);
  if (readable.length === 0) return false;
  const { rows } = await client.query(IS_TAKEN);
  return rows[0]?.is_taken === 'true';
}

const SEQUENCE = `pg_get_serial_sequence('keyroster.audit_log', 'number')`;
const READABLE = `
  SELECT FROM pg_class WHERE oid = to_regclass('keyroster.audit_log')
    AND has_table_privilege(oid, 'SELECT') AND has_sequence_privilege(pg_get_serial_sequence(oid::regclass::text, 'number'), 'SELECT')`;
const IS_TAKEN = `
  SELECT (max(number) > coalesce(pg_sequence_last_value(${SEQUENCE}::regclass), 0))::text AS is_taken
  FROM keyroster.audit_log`;

/** Lets the sequence go on behind the last entry, if it is behind. Needs the owner of the schema. */
export async function continueNumbers(
  client: Client,
  onWaiting: OnWaiting,
  onStep: (what: string) => void,
): Promise<void> {
  if (!(await isNextNumberTaken(client))) return;
  onStep(STEP);
  await inRetriedTransaction(client, onWaiting, async () => {
    await client.query('LOCK TABLE keyroster.audit_log IN SHARE ROW EXCLUSIVE MODE'); // no entry comes in between
    await client.query(`SELECT setval(${SEQUENCE}, max(number)) FROM keyroster.audit_log`);
  });
}
