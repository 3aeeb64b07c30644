import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { AdminKey } from '../roster/admin-key.ts';
import type { Timestamp } from '../roster/timestamp.ts';

export const ADMIN_KEY_COLUMNS = `digest, admin_keys.id, organizations.id AS organization_id, admin_keys.name,
  last_characters, admin_keys.created_at, expires_at, revoked_at,
  networks, replaced_by, last_used_on
  FROM admin_keys JOIN organizations ON organizations.number = admin_keys.organization`;

export function adminKeyFinder(database: DatabaseSync) {
  const valid = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2) AND disabled_at IS NULL';
  const byDigest = database.prepare(`SELECT ${ADMIN_KEY_COLUMNS} WHERE digest = ?1 AND ${valid}`);
  byDigest.setReadBigInts(true);
  return function findAdminKey(digest: Uint8Array, at: Timestamp): AdminKey | null {
    const row = byDigest.get(digest, at);
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
    networks: row.networks === null ? null : String(row.networks).split(','),
    replacedBy: row.replaced_by,
    lastUsedOn: row.last_used_on,
  } as AdminKey;
}
