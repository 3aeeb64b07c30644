import type { Client } from 'pg';
import type { Duration } from '../../../shared/record/duration.ts';
import { Refused } from '../../../shared/record/faults.ts';
import { filters } from '../../../shared/record/filters.ts';
import type { AdminKeyId, OrganizationId } from '../../../shared/record/identifier.ts';
import type { Timestamp } from '../../../shared/record/timestamp.ts';
import { type AdminKey, type Rotation, rotated, workspaceOf } from '../../roster/admin-key.ts';
import type { CreationPosition } from '../../roster/walks.ts';
import type { RotatedAdminKey } from '../../roster/writes/admin-key-writer.ts';
import { type AdminKeyCopies, copiesOf } from '../../roster/writes/given-admin-key.ts';
import { requireRevoked, unknownAdminKey } from '../../roster/writes/refusals.ts';
import { type AdminKeyRow, adminKeyOf, SELECT_ADMIN_KEY } from '../pages/find-admin-key.ts';
import { filterColumns } from '../pages/page-sql.ts';
import { idList, type Statements } from '../statements.ts';
import { timestamptz } from '../timestamp.ts';
import { ROWS_AT_ONCE } from './audit-log.ts';
import { findOrganization, positionValues, requireWritable } from './organizations.ts';

export async function createAdminKey(client: Statements, key: AdminKey): Promise<void> {
  await client.query(KEEP, [key.organizationId]);
  await requireWritable(client, key.organizationId);
  await insertAdminKeys(client, [key]);
}

/** What a foreign key does where there is one: on Citus there is none. */
const KEEP = 'SELECT FROM keyroster.organizations WHERE id = $1 FOR KEY SHARE';

/** A vendor's own table has the column only where its mapping serves the filter. */
const CAN_SCOPE = `SELECT FROM pg_attribute
  WHERE attrelid = pg_catalog.to_regclass('keyroster.api_keys')::oid AND attname = '${filterColumns.workspaceId}'`;

async function insertAdminKeys(client: Statements, keys: readonly AdminKey[]): Promise<void> {
  if (keys.some(({ scope }) => scope) && (await client.query(CAN_SCOPE)).rows.length === 0)
    throw new Refused(
      `workspace: the vendor's own table doesn't serve this filter: add ${filters.workspaceId.parameter} to "filters" of the mapping`,
    );
  for (let from = 0; from < keys.length; from += ROWS_AT_ONCE) {
    const rows = adminKeyRows(keys.slice(from, from + ROWS_AT_ONCE));
    await client.query(INSERT, [JSON.stringify(rows)]);
  }
}

/** For `json_to_recordset`. */
function adminKeyRows(keys: readonly AdminKey[]): object[] {
  return keys.map(key => ({
    digest: Buffer.from(key.digest).toString('hex'),
    id: key.id,
    organization: key.organizationId,
    name: key.name,
    ending: key.lastCharacters,
    created: timestamptz(key.createdAt),
    expires: key.expiresAt === null ? null : timestamptz(key.expiresAt),
    revoked: key.revokedAt === null ? null : timestamptz(key.revokedAt),
    networks: key.networks?.join(',') ?? null,
    replacement: key.replacedBy,
    workspace: workspaceOf(key),
  }));
}

const INSERT = `
  INSERT INTO keyroster.admin_keys
    (digest, id, organization_id, name, last_characters, created_at, expires_at, revoked_at, networks, replaced_by, workspace_id)
  SELECT pg_catalog.decode(digest, 'hex'), id, organization, name, ending, created, expires, revoked, networks, replacement, workspace
  FROM pg_catalog.json_to_recordset($1::text::json) AS made (digest text, id text, organization text, name text, ending text,
    created timestamptz, expires timestamptz, revoked timestamptz, networks text, replacement text, workspace text)`;

export async function listAdminKeys(
  client: Client,
  organization: OrganizationId | null,
  after: CreationPosition,
  limit: number,
): Promise<readonly AdminKey[]> {
  if (organization !== null) await findOrganization(client, organization);
  const text = `${SELECT_ADMIN_KEY} WHERE (organization_id = $1 OR $1::text IS NULL)
      AND (created_at, id) > ($2::text::timestamptz, $3::text)
    ORDER BY created_at, id LIMIT $4`;
  const values = [organization, ...positionValues(after), limit];
  const { rows } = await client.query<AdminKeyRow>({ text, values, rowMode: 'array' });
  return rows.map(adminKeyOf);
}

export async function revokeAdminKey(client: Statements, id: AdminKeyId, at: Timestamp): Promise<AdminKey> {
  const revoke = `UPDATE keyroster.admin_keys SET revoked_at = $2::text::timestamptz
    WHERE id = $1 AND revoked_at IS NULL`;
  await client.query(revoke, [id, timestamptz(at)]);
  return requireRevoked(await adminKeyWith(client, id));
}

export async function rotateAdminKey(
  client: Client,
  id: AdminKeyId,
  rotation: Rotation,
  overlap: Duration,
): Promise<RotatedAdminKey> {
  const both = rotated(await adminKeyWith(client, id, 'FOR UPDATE'), rotation, overlap);
  await createAdminKey(client, both.new);
  const { expiresAt } = both.old;
  await client.query('UPDATE keyroster.admin_keys SET expires_at = $2, replaced_by = $3 WHERE id = $1', [
    id,
    expiresAt === null ? null : timestamptz(expiresAt),
    both.old.replacedBy,
  ]);
  return both;
}

async function adminKeyWith(client: Statements, id: AdminKeyId, lock?: 'FOR UPDATE'): Promise<AdminKey> {
  const { rows } = await client.query(`${SELECT_ADMIN_KEY} WHERE id = $1 ${lock ?? ''}`, [id]);
  if (!rows[0]) throw unknownAdminKey();
  return adminKeyOf(Object.values(rows[0]) as AdminKeyRow); // a row has its columns in their order
}

export async function copyAdminKeys(client: Client, keys: readonly AdminKey[]): Promise<AdminKeyCopies> {
  for (const organization of new Set(keys.map(({ organizationId }) => organizationId)))
    await requireWritable(client, organization);
  const text = `${SELECT_ADMIN_KEY} WHERE id IN (SELECT unnest(string_to_array($1::text, ' '))) ORDER BY id FOR UPDATE`;
  const values = [idList(keys.map(({ id }) => id))];
  const { rows } = await client.query<AdminKeyRow>({ text, values, rowMode: 'array' });
  const copies = copiesOf(keys, new Map(rows.map(adminKeyOf).map(key => [key.id, key])));
  await insertAdminKeys(client, copies.created);
  await client.query(UPDATE_COPIED, [JSON.stringify(adminKeyRows(copies.updated))]);
  return copies;
}

const UPDATE_COPIED = `
  UPDATE keyroster.admin_keys AS stored
  SET expires_at = copied.expires, revoked_at = copied.revoked, replaced_by = copied.replacement
  FROM pg_catalog.json_to_recordset($1::text::json)
    AS copied (id text, expires timestamptz, revoked timestamptz, replacement text)
  WHERE stored.id = copied.id`;
