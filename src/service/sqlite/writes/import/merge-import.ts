/** Counts what the staged lines of an import change, records it so that it can be taken back, and writes it to the rosters. */
import type { DatabaseSync } from 'node:sqlite';
import { timestampNow } from '../../../../shared/record/timestamp.ts';
import type { Actor } from '../../../roster/actor.ts';
import type { ImportChanges, ImportOptions, ImportResult } from '../../../roster/writes/imports.ts';
import { differs } from '../../record.ts';
import { STAGED_AND_STORED, STORED_DIFFERS } from './stage-import.ts';

/** Of each organization that is there or has staged lines, in the order in which the lines name them. */
export function countChanges(database: DatabaseSync): ImportChanges[] {
  const rows = database.prepare(`
    SELECT named.id AS organizationId, stored IS NULL AS created, coalesce(staged, 0) AS staged,
      coalesce(existing, 0) AS existing, coalesce(changed, 0) AS changed
    FROM staged_organizations AS named
    LEFT JOIN (SELECT organization, count(*) AS staged FROM staged GROUP BY organization) AS lines
      ON lines.organization = named.number
    LEFT JOIN (SELECT staged.organization, count(*) AS existing,
        count(*) FILTER (WHERE ${STORED_DIFFERS}) AS changed
      FROM ${STAGED_AND_STORED} GROUP BY staged.organization) AS known
      ON known.organization = named.number
    WHERE lines.organization IS NOT NULL OR stored IS NOT NULL AND NOT deleted ORDER BY named.number`);
  return rows.all().map(row => ({ ...row, created: row.created === 1 }) as unknown as ImportChanges);
}

/** To be called after the organizations are there, and before the lines are merged. */
export function recordImport(
  database: DatabaseSync,
  { importId, organizations, updated }: ImportResult,
  actor: Actor,
): void {
  const insert = database.prepare(
    `INSERT INTO imports (id, organization, recorded_at, actor, inserted, updated, unchanged)
     SELECT ?1, stored, ?2, ?3, ?4, ?5, ?6 FROM staged_organizations WHERE id = ?7`,
  );
  const now = timestampNow();
  for (const { organizationId, inserted, updated, unchanged } of organizations)
    insert.run(importId, now, actor, inserted, updated, unchanged, organizationId);
  database
    .prepare(
      `UPDATE staged_organizations SET import = imports.number FROM imports
       WHERE imports.id = ? AND imports.organization = stored`,
    )
    .run(importId);
  if (updated > 0) database.exec(KEEP_STATUSES);
}

const KEEP_STATUSES = `
  INSERT INTO import_statuses (import, key_id, status, status_before)
  SELECT named.import, stored.id, staged.status, stored.status
  FROM ${STAGED_AND_STORED} WHERE stored.status <> staged.status`;

/** Rows per statement: progress is reported after each. */
const BATCH_ROWS = 20_000;

/** Writes in the order of the table, oldest first: in any other order its pages would stay half empty. */
export function merge(database: DatabaseSync, onProgress: ImportOptions['onProgress']): void {
  database.exec(`${NUMBER_WORKSPACES}; ${NUMBER_CREATORS}; ${ORDER_STAGED}`);
  const rows = database.prepare('SELECT count(*) AS rows FROM ordered').get()?.rows as number;
  const upsert = database.prepare(UPSERT_BATCH);
  for (let written = 0; written < rows; written += BATCH_ROWS) {
    upsert.run(written, BATCH_ROWS);
    onProgress?.(Math.min(written + BATCH_ROWS, rows), rows);
  }
}

const STAGED_AND_NAMED =
  'staged NOT INDEXED CROSS JOIN staged_organizations AS named ON named.number = staged.organization';

const NUMBER_WORKSPACES = `INSERT OR IGNORE INTO workspaces (organization, id)
  SELECT DISTINCT named.stored, workspace FROM ${STAGED_AND_NAMED} WHERE workspace IS NOT NULL`;

const NUMBER_CREATORS = `INSERT OR IGNORE INTO creators (organization, id)
  SELECT DISTINCT named.stored, creator FROM ${STAGED_AND_NAMED}`;

const ORDER_STAGED = `
  CREATE TEMPORARY TABLE ordered (ordinal INTEGER PRIMARY KEY, line INTEGER NOT NULL) STRICT;
  INSERT INTO ordered (line) SELECT line FROM ${STAGED_AND_NAMED} ORDER BY named.stored, created_at, staged.id`;

const UPSERT_BATCH = `
  INSERT INTO api_keys (organization, created_at, id, status, workspace, creator, record, declared, import)
  SELECT named.stored, created_at, staged.id, status, coalesce(workspaces.number, 0), creators.number, record, declared, named.import
  FROM ordered CROSS JOIN staged USING (line) CROSS JOIN staged_organizations AS named ON named.number = staged.organization
  LEFT JOIN workspaces ON workspaces.organization = named.stored AND workspaces.id = staged.workspace
  LEFT JOIN creators ON creators.organization = named.stored AND creators.id = staged.creator
  WHERE ordinal > ?1 AND ordinal <= ?1 + ?2 ORDER BY ordinal
  ON CONFLICT (organization, created_at, id) DO UPDATE
  SET status = excluded.status, workspace = excluded.workspace, record = excluded.record,
    declared = declared_put(api_keys.declared, excluded.declared), import = -abs(import)
  WHERE ${differs('api_keys', 'excluded')}`;
