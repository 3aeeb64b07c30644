/**
 * Writes the staged lines of an import to the roster: those that are new, and those that differ from what is stored. The others
 * are neither written nor locked, so that an import of what is there already holds up nobody.
 *
 * Between the comparison and the write others may insert keys of the file, or change them. So a line that turns out not to be
 * new is compared again, and the keys that differ are locked before it is decided what may be changed in them.
 *
 * Whoever writes several keys inserts the new ones first, oldest first, and then locks the others by ID (`put-api-keys.ts`,
 * `set-status.ts`), so that no two can wait for each other. An issuer with SQL of its own may have another order. Then PostgreSQL
 * ends one of the two transactions. An import begins its merge again, but doesn't read its source again.
 */

import type { Client } from 'pg';
import type { Actor } from '../../../roster/actor.ts';
import type { ImportOptions, ImportResult } from '../../../roster/writes/imports.ts';
import { type Column, list } from '../../columns.ts';
import { valueToPut } from '../../declared-fields.ts';
import { keysDropped } from '../../errors.ts';
import { idList } from '../../statements.ts';
import { inSavepoint, repeated } from '../../transaction.ts';
import { compareNew, countChanges } from './compare-import.ts';
import { numberOfImport } from './import-number.ts';
import { changedAndStored, type Staged } from './stage-import.ts';

/** Rows per statement: progress is reported after each. */
const BATCH_ROWS = 20_000;

export interface Merge {
  readonly staged: Staged;
  /** How many lines are new, and how many differ from what is stored. */
  readonly isNew: number;
  readonly changed: number;
  readonly onProgress: ImportOptions['onProgress'];
}

/** Inserts the new lines, and locks the stored keys of those that differ. New lines that weren't inserted have become known. */
export function insertNew({ staged, isNew, changed, onProgress }: Merge): Promise<void> {
  const { client, columns } = staged;
  return repeated(() =>
    inSavepoint(client, async () => {
      const report = (done: number) => onProgress?.(done, isNew + changed);
      const inserted = await inBatches(
        staged,
        'known.line IS NULL',
        insertBatch(columns, 'DO NOTHING'),
        report,
      );
      if (inserted < isNew) {
        await compareNew(staged);
        const counts = [...(await countChanges(client)).values()];
        const left = counts.reduce((sum, each) => sum + each.staged - each.existing, 0) - inserted;
        if (left > 0) throw keysDropped(left);
      }
      await lockChanged(client);
    }),
  );
}

/** The IDs go to and fro, as Citus can't lock the rows that a query of a local table names, nor rows of several organizations at once. */
async function lockChanged(client: Client): Promise<void> {
  for (let after = ['', '']; ; ) {
    const { rows } = await client.query<{ organization_id: string; id: string }>(CHANGED_AFTER, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    const byOrganization = Map.groupBy(rows, row => row.organization_id);
    for (const [organization, keys] of byOrganization)
      await client.query(LOCK, [organization, idList(keys.map(({ id }) => id))]);
    after = [last.organization_id, last.id];
  }
}

const CHANGED_AFTER = `
  SELECT organization_id, id FROM staged JOIN known USING (line) WHERE differs AND (organization_id, id) > ($1, $2)
  ORDER BY organization_id, id LIMIT ${BATCH_ROWS}`;

export const LOCK = `
  SELECT FROM keyroster.api_keys WHERE organization_id = $1 AND id = ANY (string_to_array($2::text, ' ')) ORDER BY id FOR UPDATE`;

/** Updates the keys that are locked. */
export async function updateChanged({ staged, isNew, changed, onProgress }: Merge): Promise<void> {
  const report = (done: number) => onProgress?.(isNew + done, isNew + changed);
  const written = await inBatches(staged, 'differs', updateBatch(staged.columns), report);
  if (written < changed) throw keysDropped(changed - written, 'not changed');
}

/** Oldest first, so that rows that are close in a page are close on the disk. */
async function inBatches(
  { client, importId }: Staged,
  lines: string,
  statement: string,
  report: (written: number) => void,
): Promise<number> {
  const number = numberOfImport(importId);
  const { rowCount } = await client.query(orderLines(lines));
  const total = rowCount ?? 0;
  await client.query('CREATE UNIQUE INDEX ON ordered (ordinal)');
  await client.query('ANALYZE ordered');
  let written = 0;
  for (let from = 0; from < total; from += BATCH_ROWS) {
    const { rows } = await client.query<{ count: string }>(statement, [number, from, from + BATCH_ROWS]);
    written += Number(rows[0]?.count);
    report(Math.min(from + BATCH_ROWS, total));
  }
  await client.query('DROP TABLE ordered');
  return written;
}

const orderLines = (lines: string) => `
  CREATE TEMPORARY TABLE ordered ON COMMIT DROP AS
    SELECT line, row_number() OVER (ORDER BY organization_id, created_at, id) AS ordinal
    FROM staged LEFT JOIN known USING (line) WHERE ${lines}`;

/** Counted by what it returns, as Citus says of an `INSERT` how many rows it was given, also where `ON CONFLICT` wrote none. */
function insertBatch(columns: readonly Column[], onConflict: string): string {
  return `
  WITH written AS (
    INSERT INTO keyroster.api_keys AS stored (organization_id, import, ${list(columns, ({ name }) => name)})
    SELECT organization_id, $1::bigint, ${list(columns, ({ given }) => given)}
    FROM ordered JOIN staged USING (line) WHERE ordinal > $2 AND ordinal <= $3 ORDER BY ordinal
    ON CONFLICT (organization_id, id) ${onConflict} RETURNING stored.organization_id
  ) SELECT count(*) FROM written`;
}

function updateBatch(columns: readonly Column[]): string {
  const changing = columns.filter(({ changes }) => changes);
  const set = list(changing, ({ name }) => `${name} = ${valueToPut(name, `excluded.${name}`)}`);
  // Without it a trigger would compare the row, which takes longer, and make the number negative too.
  return insertBatch(columns, `DO UPDATE SET ${set}, import = -abs(stored.import)`);
}

/** Keeps the statuses that the lines will change, so that they can be put back. The keys are locked. */
export async function keepStatuses(staged: Staged): Promise<void> {
  await staged.client.query(
    `INSERT INTO keyroster.import_statuses (organization_id, import, key_id, status, status_before)
     SELECT stored.organization_id, $1::bigint, stored.id, staged.status, stored.status
     FROM ${changedAndStored(staged)} WHERE stored.status <> staged.status`,
    [numberOfImport(staged.importId)],
  );
}

export async function recordImport(
  { client, importId }: Staged,
  { organizations }: ImportResult,
  actor: Actor,
): Promise<void> {
  const rows = organizations.map(({ organizationId, inserted, updated, unchanged }) => ({
    organization_id: organizationId,
    inserted,
    updated,
    unchanged,
  }));
  await client.query(INSERT, [importId, actor, JSON.stringify(rows)]);
}

const INSERT = `
  INSERT INTO keyroster.imports (organization_id, id, actor, inserted, updated, unchanged)
  SELECT organization_id, $1::text, $2::text, inserted, updated, unchanged
  FROM json_to_recordset($3::text::json)
    AS each (organization_id text, inserted bigint, updated bigint, unchanged bigint)`;
