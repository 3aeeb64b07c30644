import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { AdminKey } from '../roster/admin-key.ts';

export const ADMIN_KEY_COLUMNS = `digest, admin_keys.id, organizations.id AS organization_id, admin_keys.name,
  last_characters, admin_keys.created_at, expires_at, revoked_at
  FROM admin_keys JOIN organizations ON organizations.number = admin_keys.organization`;

export function adminKeyFinder(database: DatabaseSync) {
  const byDigest = database.prepare(`SELECT ${ADMIN_KEY_COLUMNS} WHERE digest = ?`);
  byDigest.setReadBigInts(true);
  return function findAdminKey(digest: Uint8Array): AdminKey | null {
    const row = byDigest.get(digest);
    return row ? adminKeyOf(row) : null;
  };
}

export function adminKeyOf(row: Record<string, SQLOutputValue>): AdminKey {
  return {
    digest: row.digest,
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    lastCharacters: row.last_characters,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  } as AdminKey;
}
