import type { Client } from 'pg';
import type { AdminKey } from '../roster/admin-key.ts';
import type { AdminKeyId, OrganizationId } from '../roster/identifier.ts';
import { unknownAdminKey } from '../roster/refusals.ts';
import type { Timestamp } from '../roster/timestamp.ts';
import { type AdminKeyRow, adminKeyOf, SELECT_ADMIN_KEY } from './find-admin-key.ts';
import { findOrganization } from './organizations.ts';
import { timestamptz } from './timestamp.ts';

export async function createAdminKey(client: Client, key: AdminKey): Promise<void> {
  await findOrganization(client, key.organizationId);
  const times = [key.createdAt, key.expiresAt, key.revokedAt].map(time =>
    time === null ? null : timestamptz(time),
  );
  await client.query(
    `INSERT INTO keyroster.admin_keys
       (digest, id, organization_id, name, last_characters, created_at, expires_at, revoked_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [Buffer.from(key.digest), key.id, key.organizationId, key.name, key.lastCharacters, ...times],
  );
}

export async function listAdminKeys(
  client: Client,
  organization: OrganizationId | null,
): Promise<readonly AdminKey[]> {
  if (organization !== null) await findOrganization(client, organization);
  const text = `${SELECT_ADMIN_KEY} WHERE organization_id = $1 OR $1::text IS NULL
    ORDER BY keyroster.admin_keys.created_at, id`;
  const { rows } = await client.query<AdminKeyRow>({ text, values: [organization], rowMode: 'array' });
  return rows.map(adminKeyOf);
}

export async function revokeAdminKey(client: Client, id: AdminKeyId, at: Timestamp): Promise<AdminKey> {
  const revoke = 'UPDATE keyroster.admin_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL';
  await client.query(revoke, [id, timestamptz(at)]);
  const text = `${SELECT_ADMIN_KEY} WHERE id = $1`;
  const { rows } = await client.query<AdminKeyRow>({ text, values: [id], rowMode: 'array' });
  if (!rows[0]) throw unknownAdminKey();
  return adminKeyOf(rows[0]);
}
