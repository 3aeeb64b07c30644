import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Timestamp } from '../../../shared/record/timestamp.ts';
import { type AdminKey, scopeOfWorkspace } from '../../roster/admin-key.ts';

export const ADMIN_KEY_COLUMNS = `digest, admin_keys.id, organizations.id AS organization_id, admin_keys.name,
  last_characters, admin_keys.created_at, expires_at, revoked_at,
  networks, replaced_by, workspace_id
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
    scope: scopeOfWorkspace(row.workspace_id),
  } satisfies Record<keyof AdminKey, unknown> as AdminKey;
}
