import type { DatabaseSync } from 'node:sqlite';
import type { AdminKey } from '../roster/admin-key.ts';
import type { AdminKeyId, OrganizationId } from '../roster/identifier.ts';
import { unknownAdminKey } from '../roster/refusals.ts';
import type { Timestamp } from '../roster/timestamp.ts';
import { ADMIN_KEY_COLUMNS, adminKeyOf } from './find-admin-key.ts';
import { organizationNumber } from './organizations.ts';

export function createAdminKey(database: DatabaseSync, key: AdminKey): void {
  const organization = organizationNumber(database, key.organizationId);
  database
    .prepare(
      `INSERT INTO admin_keys (digest, id, organization, name, last_characters, created_at, expires_at, revoked_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      key.digest,
      key.id,
      organization,
      key.name,
      key.lastCharacters,
      key.createdAt,
      key.expiresAt,
      key.revokedAt,
    );
}

export function listAdminKeys(
  database: DatabaseSync,
  organization: OrganizationId | null,
): readonly AdminKey[] {
  if (organization !== null) organizationNumber(database, organization);
  const statement = database.prepare(
    `SELECT ${ADMIN_KEY_COLUMNS} WHERE organizations.id = ?1 OR ?1 IS NULL
     ORDER BY admin_keys.created_at, admin_keys.id`,
  );
  statement.setReadBigInts(true);
  return statement.all(organization).map(adminKeyOf);
}

export function revokeAdminKey(database: DatabaseSync, id: AdminKeyId, at: Timestamp): AdminKey {
  database.prepare('UPDATE admin_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL').run(at, id);
  const statement = database.prepare(`SELECT ${ADMIN_KEY_COLUMNS} WHERE admin_keys.id = ?`);
  statement.setReadBigInts(true);
  const row = statement.get(id);
  if (!row) throw unknownAdminKey();
  return adminKeyOf(row);
}
