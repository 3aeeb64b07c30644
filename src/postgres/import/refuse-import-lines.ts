/** The staged lines of an import that must not be merged, each with the reason. */
import type { Client, QueryResultRow } from 'pg';
import { FORBIDDEN_TRANSITIONS } from '../../roster/api-key.ts';
import type { OrganizationId } from '../../roster/identifier.ts';
import { changeFaults, duplicateOf } from '../../roster/refusals.ts';
import type { ImportRefusal } from '../../roster/roster.ts';
import { storedStatus } from '../stored-values.ts';
import { STAGED_AND_STORED } from './stage-import.ts';

const DUPLICATES = `
  SELECT line, first, record
  FROM staged JOIN (SELECT id, min(line) AS first FROM staged GROUP BY id HAVING count(*) > 1) AS twice USING (id)
  WHERE line > first ORDER BY line`;

/** The lines with the ID of an earlier line. */
export async function* duplicates(client: Client): AsyncGenerator<ImportRefusal[]> {
  for await (const rows of batches<{ line: string; first: string; record: string }>(client, DUPLICATES, [])) {
    yield rows.map(({ line, first, record }) => ({
      line: Number(line),
      faults: [duplicateOf(Number(first))],
      source: record,
    }));
  }
}

const forbidden = FORBIDDEN_TRANSITIONS.map(
  ({ from, to }) => `('${storedStatus[from]}', '${storedStatus[to]}')`,
);

/** Everything that `changeFaults` refuses, so that only refused lines are fetched. */
const IS_REFUSED = `(stored.created_at, stored.created_by_id, stored.created_by_type)
    IS DISTINCT FROM (staged.created_at, staged.created_by_id, staged.created_by_type)
    OR (stored.status, staged.status) IN (${forbidden})`;

/** The lines that would change what is fixed in a stored key, of those that differ from it (`compare-import.ts`). */
export async function* refusedChanges(
  client: Client,
  organization: OrganizationId,
): AsyncGenerator<ImportRefusal[]> {
  const text = `SELECT line, stored.record AS before, staged.record AS after FROM ${STAGED_AND_STORED}
    WHERE line IN (SELECT line FROM known WHERE differs) AND (${IS_REFUSED}) ORDER BY line`;
  for await (const rows of batches<{ line: string; before: string; after: string }>(client, text, [
    organization,
  ])) {
    yield rows.map(({ line, before, after }) => ({
      line: Number(line),
      faults: changeFaults(JSON.parse(before), JSON.parse(after)),
      source: after,
    }));
  }
}

/** A file may have any number of lines to refuse, so they aren't fetched at once. */
const BATCH_ROWS = 1_000;

/** The rows of a query in a transaction, as they were when it began. */
async function* batches<Row extends QueryResultRow>(
  client: Client,
  text: string,
  values: readonly unknown[],
): AsyncGenerator<Row[]> {
  await client.query(`DECLARE refused NO SCROLL CURSOR FOR ${text}`, [...values]);
  for (;;) {
    const { rows } = await client.query<Row>(`FETCH ${BATCH_ROWS} FROM refused`);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('CLOSE refused');
}
