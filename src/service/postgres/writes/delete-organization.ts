import type { Client } from 'pg';
import type { ApiKeyId, OrganizationId } from '../../../shared/record/identifier.ts';
import type { Timestamp } from '../../../shared/record/timestamp.ts';
import { type DeletionStep, type OrganizationContents, ROWS_PER_STEP } from '../../roster/organization.ts';
import { FOREIGN_KEY_VIOLATION } from '../errors.ts';
import { idList } from '../statements.ts';
import { timestamptz } from '../timestamp.ts';
import { inSavepoint } from '../transaction.ts';
import { ownTable } from '../vendor-table/own-table.ts';
import { allowCorrections, requireDeleteRight } from './correction.ts';
import { AFTER_OTHERS } from './look-again.ts';
import { findOrganization, refuseAdminKeys } from './organizations.ts';

export async function findContents(client: Client, id: OrganizationId): Promise<OrganizationContents> {
  await findOrganization(client, id);
  const table = await ownTable(client);
  const count = async (from: string) => {
    const text = `SELECT count(*) AS count FROM keyroster.${from} WHERE organization_id = $1`;
    const { rows } = await client.query(text, [id]);
    return Number(rows[0]?.count);
  };
  return { apiKeys: table === null ? 0 : await count(table), adminKeys: await count('admin_keys') };
}

/** To be called in a transaction. */
export async function deleteNext(
  client: Client,
  id: OrganizationId,
  at: Timestamp,
  after: ApiKeyId | null,
): Promise<DeletionStep> {
  await requireDeleteRight(client, 'organizations delete');
  const { deletedAt } = await findOrganization(client, id);
  const step = { begun: false, apiKeys: 0, after: null, done: false };
  if (deletedAt === null) {
    await mark(client, id, at);
    return { ...step, begun: true };
  }
  await allowCorrections(client);
  const deleted = await deleteApiKeys(client, id, after);
  const last = deleted.at(-1);
  if (last !== undefined) return { ...step, apiKeys: deleted.length, after: last };
  // Others may have committed API keys in front of those that were looked at.
  if (after !== null) return step;
  await client.query(LOCK, [id]);
  await client.query(AFTER_OTHERS);
  for (const statement of [DELETE_STATUSES, DELETE_IMPORTS]) {
    const { rowCount } = await client.query(statement, [id, ROWS_PER_STEP]);
    if ((rowCount ?? 0) > 0) return step;
  }
  return { ...step, done: await deleteRest(client, id) };
}

async function mark(client: Client, id: OrganizationId, at: Timestamp): Promise<void> {
  await client.query(
    `UPDATE keyroster.organizations SET deleted_at = coalesce(deleted_at, $2::timestamptz),
       disabled_at = coalesce(disabled_at, $2::timestamptz) WHERE id = $1`,
    [id, timestamptz(at)],
  );
  await refuseAdminKeys(client, id);
}

async function deleteApiKeys(
  client: Client,
  id: OrganizationId,
  after: ApiKeyId | null,
): Promise<ApiKeyId[]> {
  const table = await ownTable(client);
  if (table === null) return [];
  const { rows } = await client.query<{ id: ApiKeyId }>(
    `SELECT id FROM keyroster.${table} WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
    [id, after ?? '', ROWS_PER_STEP],
  );
  const ids = rows.map(row => row.id);
  if (ids.length > 0)
    await client.query(
      `DELETE FROM keyroster.${table} WHERE organization_id = $1 AND id = ANY (string_to_array($2::text, ' '))`,
      [id, idList(ids)],
    );
  return ids;
}

/**
 * Waits for who has added to the organization: an API key by its foreign key, an admin key by a lock of the row, as on Citus it has
 * none. Before `AFTER_OTHERS`, which they may wait for.
 */
const LOCK = 'SELECT FROM keyroster.organizations WHERE id = $1 FOR UPDATE';

const DELETE_STATUSES = `
  DELETE FROM keyroster.import_statuses WHERE organization_id = $1 AND (import, key_id) IN
    (SELECT import, key_id FROM keyroster.import_statuses WHERE organization_id = $1 LIMIT $2)`;

const DELETE_IMPORTS = `
  DELETE FROM keyroster.imports WHERE organization_id = $1 AND id IN
    (SELECT id FROM keyroster.imports WHERE organization_id = $1 LIMIT $2)`;

/** Returns whether the organization is gone. It isn't where an issuer has committed another API key meanwhile. */
async function deleteRest(client: Client, id: OrganizationId): Promise<boolean> {
  try {
    await inSavepoint(client, async () => {
      await client.query('DELETE FROM keyroster.admin_keys WHERE organization_id = $1', [id]);
      await client.query('DELETE FROM keyroster.organizations WHERE id = $1', [id]);
      await client.query('DELETE FROM keyroster.disabled_organizations WHERE organization_id = $1', [id]);
    });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === FOREIGN_KEY_VIOLATION) return false;
    throw error;
  }
}
