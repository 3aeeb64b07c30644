import type { DatabaseSync } from 'node:sqlite';
import type { AdminKey } from '../roster/admin-key.ts';
import { type AdminKeyCopies, copiesOf } from '../roster/given-admin-key.ts';
import { createAdminKey } from './admin-keys.ts';
import { ADMIN_KEY_COLUMNS, adminKeyOf } from './find-admin-key.ts';

export function copyAdminKeys(database: DatabaseSync, keys: readonly AdminKey[]): AdminKeyCopies {
  const find = database.prepare(`SELECT ${ADMIN_KEY_COLUMNS} WHERE admin_keys.id = ?`);
  find.setReadBigInts(true);
  const stored = new Map<string, AdminKey>();
  for (const { id } of keys) {
    const row = find.get(id);
    if (row) stored.set(id, adminKeyOf(row));
  }
  const copies = copiesOf(keys, stored);
  for (const key of copies.created) createAdminKey(database, key);
  const update = database.prepare(
    'UPDATE admin_keys SET expires_at = ?, revoked_at = ?, replaced_by = ?, last_used_on = ? WHERE id = ?',
  );
  for (const { expiresAt, revokedAt, replacedBy, lastUsedOn, id } of copies.updated)
    update.run(expiresAt, revokedAt, replacedBy, lastUsedOn, id);
  return copies;
}
