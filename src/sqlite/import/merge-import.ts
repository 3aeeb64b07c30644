/** Writes the staged lines of an import to the rosters. */
import type { DatabaseSync } from 'node:sqlite';
import type { ImportOptions } from '../../roster/roster.ts';

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
  INSERT INTO api_keys (organization, created_at, id, status, workspace, creator, record, import)
  SELECT named.stored, created_at, staged.id, status, coalesce(workspaces.number, 0), creators.number, record, named.import
  FROM ordered CROSS JOIN staged USING (line) CROSS JOIN staged_organizations AS named ON named.number = staged.organization
  LEFT JOIN workspaces ON workspaces.organization = named.stored AND workspaces.id = staged.workspace
  LEFT JOIN creators ON creators.organization = named.stored AND creators.id = staged.creator
  WHERE ordinal > ?1 AND ordinal <= ?1 + ?2 ORDER BY ordinal
  ON CONFLICT (organization, created_at, id) DO UPDATE
  SET status = excluded.status, workspace = excluded.workspace, record = excluded.record, import = excluded.import
  WHERE record <> excluded.record`;
