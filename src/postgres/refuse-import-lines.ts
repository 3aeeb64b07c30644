/** The staged lines of an import that must not be merged, each with the reason. */
import type { Client } from 'pg';
import { FORBIDDEN_TRANSITIONS } from '../roster/api-key.ts';
import type { OrganizationId } from '../roster/identifier.ts';
import { changeFaults, duplicateOf } from '../roster/refusals.ts';
import type { ImportRefusal } from '../roster/roster.ts';
import { STAGED_AND_STORED } from './stage-import.ts';
import { storedStatus } from './stored-values.ts';

const DUPLICATES = `
  SELECT line, first, record
  FROM staged JOIN (SELECT id, min(line) AS first FROM staged GROUP BY id HAVING count(*) > 1) AS twice USING (id)
  WHERE line > first ORDER BY line`;

/** The lines with the ID of an earlier line. */
export async function duplicates(client: Client): Promise<ImportRefusal[]> {
  const { rows } = await client.query<{ line: string; first: string; record: string }>(DUPLICATES);
  return rows.map(({ line, first, record }) => ({
    line: Number(line),
    faults: [duplicateOf(Number(first))],
    source: record,
  }));
}

const forbidden = FORBIDDEN_TRANSITIONS.map(
  ({ from, to }) => `('${storedStatus[from]}', '${storedStatus[to]}')`,
);

/** Everything that `changeFaults` refuses, so that only refused lines are fetched. */
const IS_REFUSED = `(stored.created_at, stored.created_by_id, stored.created_by_type)
    IS DISTINCT FROM (staged.created_at, staged.created_by_id, staged.created_by_type)
    OR (stored.status, staged.status) IN (${forbidden})`;

/** The lines that would change what is fixed in a stored key. */
export async function refusedChanges(client: Client, organization: OrganizationId): Promise<ImportRefusal[]> {
  const text = `SELECT line, stored.record AS before, staged.record AS after FROM ${STAGED_AND_STORED}
    WHERE ${IS_REFUSED} ORDER BY line`;
  const { rows } = await client.query<{ line: string; before: string; after: string }>(text, [organization]);
  return rows.map(({ line, before, after }) => ({
    line: Number(line),
    faults: changeFaults(JSON.parse(before), JSON.parse(after)),
    source: after,
  }));
}
