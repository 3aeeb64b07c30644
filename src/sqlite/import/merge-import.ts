/** Writes the staged lines of an import to the roster. */
import type { DatabaseSync } from 'node:sqlite';
import type { ImportOptions } from '../../roster/roster.ts';
import { STAGED_AND_STORED } from './stage-import.ts';

/** Rows per statement: progress is reported after each. */
const BATCH_ROWS = 20_000;

interface ChangeCounts {
  readonly staged: number;
  /** Of the staged lines, those whose key is stored already. */
  readonly existing: number;
  /** Of the existing ones, those that differ from what is stored. */
  readonly changed: number;
}

export function countChanges(database: DatabaseSync, organization: number): ChangeCounts {
  const sql = `SELECT (SELECT count(*) FROM staged) AS staged, count(*) AS existing,
    count(*) FILTER (WHERE stored.record <> staged.record) AS changed FROM ${STAGED_AND_STORED}`;
  return database.prepare(sql).get(organization) as unknown as ChangeCounts;
}

/** Writes in the order of the table, oldest first: in any other order its pages would stay half empty. */
export function merge(
  database: DatabaseSync,
  organization: number,
  onProgress: ImportOptions['onProgress'],
): void {
  database.prepare(NUMBER_WORKSPACES).run(organization);
  database.prepare(NUMBER_CREATORS).run(organization);
  database.exec(ORDER_STAGED);
  const rows = database.prepare('SELECT count(*) AS rows FROM ordered').get()?.rows as number;
  const upsert = database.prepare(UPSERT_BATCH);
  for (let written = 0; written < rows; written += BATCH_ROWS) {
    upsert.run(organization, written, BATCH_ROWS);
    onProgress?.(Math.min(written + BATCH_ROWS, rows), rows);
  }
}

const NUMBER_WORKSPACES = `INSERT OR IGNORE INTO workspaces (organization, id)
  SELECT DISTINCT ?, workspace FROM staged WHERE workspace IS NOT NULL`;

const NUMBER_CREATORS =
  'INSERT OR IGNORE INTO creators (organization, id) SELECT DISTINCT ?, creator FROM staged';

const ORDER_STAGED = `
  CREATE TEMPORARY TABLE ordered (ordinal INTEGER PRIMARY KEY, line INTEGER NOT NULL) STRICT;
  INSERT INTO ordered (line) SELECT line FROM staged ORDER BY created_at, id`;

const UPSERT_BATCH = `
  INSERT INTO api_keys (organization, created_at, id, status, workspace, creator, record)
  SELECT ?1, created_at, staged.id, status, coalesce(workspaces.number, 0), creators.number, record
  FROM ordered CROSS JOIN staged USING (line)
  LEFT JOIN workspaces ON workspaces.organization = ?1 AND workspaces.id = staged.workspace
  LEFT JOIN creators ON creators.organization = ?1 AND creators.id = staged.creator
  WHERE ordinal > ?2 AND ordinal <= ?2 + ?3 ORDER BY ordinal
  ON CONFLICT (organization, created_at, id) DO UPDATE
  SET status = excluded.status, workspace = excluded.workspace, record = excluded.record
  WHERE record <> excluded.record`;
