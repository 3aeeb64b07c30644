/** Writes the staged lines of an import to the roster. */
import type { Client } from 'pg';
import type { OrganizationId } from '../roster/identifier.ts';
import type { ImportOptions } from '../roster/roster.ts';
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

const DIFFERS = `(stored.name, stored.status, stored.workspace_id, stored.partial_key_hint)
  IS DISTINCT FROM (staged.name, staged.status, staged.workspace_id, staged.partial_key_hint)`;

export async function countChanges(client: Client, organization: OrganizationId): Promise<ChangeCounts> {
  const text = `SELECT (SELECT count(*) FROM staged) AS staged, count(*) AS existing,
    count(*) FILTER (WHERE ${DIFFERS}) AS changed FROM ${STAGED_AND_STORED}`;
  const { rows } = await client.query<Record<keyof ChangeCounts, string>>(text, [organization]);
  const { staged = 0, existing = 0, changed = 0 } = rows[0] ?? {};
  return { staged: Number(staged), existing: Number(existing), changed: Number(changed) };
}

/** Writes oldest first, so that rows that are close in a page are close on the disk. */
export async function merge(
  client: Client,
  organization: OrganizationId,
  staged: number,
  onProgress: ImportOptions['onProgress'],
): Promise<void> {
  await client.query(ORDER_STAGED);
  for (let written = 0; written < staged; written += BATCH_ROWS) {
    await client.query(UPSERT_BATCH, [organization, written, written + BATCH_ROWS]);
    onProgress?.(Math.min(written + BATCH_ROWS, staged), staged);
  }
}

const ORDER_STAGED = `
  CREATE TEMPORARY TABLE ordered ON COMMIT DROP AS
    SELECT line, row_number() OVER (ORDER BY created_at, id) AS ordinal FROM staged;
  CREATE UNIQUE INDEX ON ordered (ordinal);
  ANALYZE ordered`;

const UPSERT_BATCH = `
  INSERT INTO keyroster.api_keys AS stored (organization_id, id, name, created_at, created_by_id, created_by_type,
    partial_key_hint, status, workspace_id)
  SELECT $1, id, name, created_at, created_by_id, created_by_type, partial_key_hint, status, workspace_id
  FROM ordered JOIN staged USING (line) WHERE ordinal > $2 AND ordinal <= $3 ORDER BY ordinal
  ON CONFLICT (organization_id, id) DO UPDATE SET name = excluded.name, status = excluded.status,
    workspace_id = excluded.workspace_id, partial_key_hint = excluded.partial_key_hint
  WHERE (stored.name, stored.status, stored.workspace_id, stored.partial_key_hint)
    IS DISTINCT FROM (excluded.name, excluded.status, excluded.workspace_id, excluded.partial_key_hint)`;
