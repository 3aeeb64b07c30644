import type { ApiKey } from '../roster/api-key.ts';
import { type ApiKeyRecord, renderApiKey } from '../roster/api-key-record.ts';
import type { PutCounts } from '../roster/counts.ts';
import type { ApiKeyId, OrganizationId } from '../roster/identifier.ts';
import { requirePuttable } from '../roster/refusals.ts';
import { requireOwnTable } from './adoption/own-table.ts';
import { requireWritable } from './organizations.ts';
import { idArray, type Statements } from './statements.ts';
import { storedCreatorType, storedStatus } from './stored-values.ts';
import { timestamptz } from './timestamp.ts';

/**
 * To be called in a transaction. New keys are inserted first, and whoever puts one of the same ID meanwhile waits for the end of
 * this transaction. The others are locked, so that what is compared with them is what they are when they are updated.
 */
export async function putApiKeys(
  client: Statements,
  organization: OrganizationId,
  keys: readonly ApiKey[],
): Promise<PutCounts> {
  await requireOwnTable(client);
  await requireWritable(client, organization);
  const { rows } = await client.query(INSERT_NEW, [organization, jsonRows(keys)]);
  const inserted = new Set(rows.map(({ id }) => id));
  const existing = keys.filter(({ id }) => !inserted.has(id));
  if (existing.length === 0) return { inserted: inserted.size, updated: 0, unchanged: 0 };

  const found = await client.query(LOCK_EXISTING, [organization, idArray(existing.map(({ id }) => id))]);
  const records = new Map<ApiKeyId, string>(found.rows.map(({ id, record }) => [id, record]));
  const stored = new Map(Array.from(records, ([id, record]) => [id, JSON.parse(record) as ApiKeyRecord]));
  requirePuttable(keys, stored);
  const changed = existing.filter(key => records.get(key.id) !== renderApiKey(key));
  if (changed.length > 0) await client.query(UPDATE_CHANGED, [organization, jsonRows(changed)]);
  return { inserted: inserted.size, updated: changed.length, unchanged: existing.length - changed.length };
}

function jsonRows(keys: readonly ApiKey[]): string {
  return JSON.stringify(
    keys.map(key => ({
      id: key.id,
      name: key.name,
      created_at: timestamptz(key.createdAt),
      created_by_id: key.createdBy.id,
      created_by_type: storedCreatorType[key.createdBy.type],
      partial_key_hint: key.partialKeyHint,
      status: storedStatus[key.status],
      workspace_id: key.workspaceId,
    })),
  );
}

/** In the order of an import, and then the locks by ID (`merge-import.ts`). */
const INSERT_NEW = `
  INSERT INTO keyroster.api_keys (organization_id, id, name, created_at, created_by_id, created_by_type,
    partial_key_hint, status, workspace_id)
  SELECT $1::text, * FROM json_to_recordset($2::text::json) AS put (id text, name text, created_at timestamptz,
    created_by_id text, created_by_type text, partial_key_hint text, status text, workspace_id text)
  ORDER BY put.created_at, put.id COLLATE "C"
  ON CONFLICT (organization_id, id) DO NOTHING RETURNING id`;

const LOCK_EXISTING = `
  SELECT id, record FROM keyroster.api_keys WHERE organization_id = $1 AND id = ANY ($2::text::text[])
  ORDER BY id FOR UPDATE`;

const UPDATE_CHANGED = `
  UPDATE keyroster.api_keys AS stored SET name = put.name, status = put.status, workspace_id = put.workspace_id,
    partial_key_hint = put.partial_key_hint
  FROM json_to_recordset($2::text::json)
    AS put (id text, name text, partial_key_hint text, status text, workspace_id text)
  WHERE stored.organization_id = $1 AND stored.id = put.id`;
