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
import type { OrganizationId } from '../../roster/identifier.ts';
import type { ImportOptions } from '../../roster/roster.ts';
import { idArray } from '../statements.ts';
import { inSavepoint, repeated } from '../transaction.ts';
import { type ChangeCounts, compareNew } from './compare-import.ts';

/** Rows per statement: progress is reported after each. */
const BATCH_ROWS = 20_000;

interface Import {
  readonly client: Client;
  readonly organization: OrganizationId;
  readonly onProgress: ImportOptions['onProgress'];
}

/**
 * Inserts the new lines, and locks the stored keys of those that differ. Returns the number of inserted ones; the other new
 * lines have become known.
 */
export function insertNew(
  { client, organization, onProgress }: Import,
  { staged, existing, changed }: ChangeCounts,
): Promise<number> {
  const isNew = staged - existing;
  return repeated(() =>
    inSavepoint(client, async () => {
      const report = (written: number) => onProgress?.(written, isNew + changed);
      const inserted = await inBatches(client, 'known.line IS NULL', INSERT_BATCH, organization, report);
      if (inserted < isNew) await compareNew(client, organization);
      await lockChanged(client, organization);
      return inserted;
    }),
  );
}

/** The IDs go to and fro, as Citus can't lock the rows that a query of a local table names. */
async function lockChanged(client: Client, organization: OrganizationId): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await client.query<{ id: string }>(CHANGED_AFTER, [after]);
    const ids = rows.map(({ id }) => id);
    const last = ids.at(-1);
    if (last === undefined) return;
    await client.query(LOCK, [organization, idArray(ids)]);
    after = last;
  }
}

const CHANGED_AFTER = `
  SELECT id FROM staged JOIN known USING (line) WHERE differs AND id > $1 ORDER BY id LIMIT ${BATCH_ROWS}`;

const LOCK = `
  SELECT FROM keyroster.api_keys WHERE organization_id = $1 AND id = ANY ($2::text::text[]) ORDER BY id FOR UPDATE`;

/** Updates the keys that are locked. Returns the number of those that differed. */
export function updateChanged(
  { client, organization, onProgress }: Import,
  inserted: number,
  { changed }: ChangeCounts,
): Promise<number> {
  const report = (written: number) => onProgress?.(inserted + written, inserted + changed);
  return inBatches(client, 'differs', UPDATE_BATCH, organization, report);
}

/** Oldest first, so that rows that are close in a page are close on the disk. Returns the number of rows written. */
async function inBatches(
  client: Client,
  lines: string,
  statement: string,
  organization: OrganizationId,
  report: (written: number) => void,
): Promise<number> {
  const { rowCount } = await client.query(orderLines(lines));
  const total = rowCount ?? 0;
  await client.query('CREATE UNIQUE INDEX ON ordered (ordinal)');
  await client.query('ANALYZE ordered');
  let written = 0;
  for (let from = 0; from < total; from += BATCH_ROWS) {
    const { rows } = await client.query<{ count: string }>(statement, [
      organization,
      from,
      from + BATCH_ROWS,
    ]);
    written += Number(rows[0]?.count);
    report(Math.min(from + BATCH_ROWS, total));
  }
  await client.query('DROP TABLE ordered');
  return written;
}

const orderLines = (lines: string) => `
  CREATE TEMPORARY TABLE ordered ON COMMIT DROP AS
    SELECT line, row_number() OVER (ORDER BY created_at, id) AS ordinal
    FROM staged LEFT JOIN known USING (line) WHERE ${lines}`;

/** Counted by what it returns, as Citus says of an `INSERT` how many rows it was given, also where `ON CONFLICT` wrote none. */
const insertBatch = (onConflict: string) => `
  WITH written AS (
    INSERT INTO keyroster.api_keys AS stored (organization_id, id, name, created_at, created_by_id, created_by_type,
      partial_key_hint, status, workspace_id)
    SELECT $1, id, name, created_at, created_by_id, created_by_type, partial_key_hint, status, workspace_id
    FROM ordered JOIN staged USING (line) WHERE ordinal > $2 AND ordinal <= $3 ORDER BY ordinal
    ON CONFLICT (organization_id, id) ${onConflict} RETURNING 1
  ) SELECT count(*) FROM written`;

const INSERT_BATCH = insertBatch('DO NOTHING');

const UPDATE_BATCH = insertBatch(`DO UPDATE SET name = excluded.name, status = excluded.status,
      workspace_id = excluded.workspace_id, partial_key_hint = excluded.partial_key_hint
    WHERE (stored.name, stored.status, stored.workspace_id, stored.partial_key_hint)
      IS DISTINCT FROM (excluded.name, excluded.status, excluded.workspace_id, excluded.partial_key_hint)`);
