/** Records an import, and what it updates, so that it can be taken back. */
import type { Actor } from '../../roster/actor.ts';
import type { ImportResult } from '../../roster/imports.ts';
import { columnName } from '../declared-fields.ts';
import { IS_CHANGED } from './compare-import.ts';
import { type Staged, stagedAndStored } from './stage-import.ts';

/** Keeps what the keys are that the lines will update. They are locked. */
export async function keepUpdated(staged: Staged): Promise<void> {
  const declared = staged.fields.map(field => `'${field.number}', stored.${columnName(field)}`);
  const before = declared.length === 0 ? 'NULL' : `jsonb_build_object(${declared.join(', ')})::text`;
  await staged.client.query(
    `INSERT INTO keyroster.import_updates (organization_id, import, key_id, record, declared, import_before)
     SELECT stored.organization_id, $1::bigint, stored.id, stored.record, ${before}, stored.import
     FROM ${stagedAndStored(staged)} WHERE ${IS_CHANGED}`,
    [staged.number],
  );
}

export async function recordImport(
  { client, number }: Staged,
  { importId, organizations }: ImportResult,
  actor: Actor,
): Promise<void> {
  const rows = organizations.map(({ organizationId, inserted, updated, unchanged }) => ({
    organization_id: organizationId,
    inserted,
    updated,
    unchanged,
  }));
  await client.query(INSERT, [number, importId, actor, JSON.stringify(rows)]);
}

const INSERT = `
  INSERT INTO keyroster.imports (organization_id, number, id, actor, inserted, updated, unchanged)
  SELECT organization_id, $1::bigint, $2::text, $3::text, inserted, updated, unchanged
  FROM json_to_recordset($4::text::json)
    AS each (organization_id text, inserted bigint, updated bigint, unchanged bigint)`;
