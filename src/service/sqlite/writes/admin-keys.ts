import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Duration } from '../../../shared/record/duration.ts';
import type { AdminKeyId, OrganizationId } from '../../../shared/record/identifier.ts';
import type { Timestamp } from '../../../shared/record/timestamp.ts';
import {
  type AdminKey,
  type Rotation,
  rotated,
  scopeOfWorkspace,
  workspaceOf,
} from '../../roster/admin-key.ts';
import type { CreationPosition } from '../../roster/walks.ts';
import type { RotatedAdminKey } from '../../roster/writes/admin-key-writer.ts';
import { type AdminKeyCopies, copiesOf } from '../../roster/writes/given-admin-key.ts';
import { requireRevoked, unknownAdminKey } from '../../roster/writes/refusals.ts';
import { findOrganization, organizationNumber } from './organizations.ts';

const ADMIN_KEY_COLUMNS = `digest, admin_keys.id, organizations.id AS organization_id, admin_keys.name,
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

export function createAdminKey(database: DatabaseSync, key: AdminKey): void {
  const organization = organizationNumber(database, key.organizationId);
  database
    .prepare(
      `INSERT INTO admin_keys
         (digest, id, organization, name, last_characters, created_at, expires_at, revoked_at, networks, replaced_by, workspace_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      key.networks?.join(',') ?? null,
      key.replacedBy,
      workspaceOf(key),
    );
}

export function listAdminKeys(
  database: DatabaseSync,
  organization: OrganizationId | null,
  after: CreationPosition,
  limit: number,
): readonly AdminKey[] {
  if (organization !== null) findOrganization(database, organization);
  const statement = database.prepare(
    `SELECT ${ADMIN_KEY_COLUMNS} WHERE (organizations.id = ?1 OR ?1 IS NULL)
       AND (admin_keys.created_at, admin_keys.id) > (?2, ?3)
     ORDER BY admin_keys.created_at, admin_keys.id LIMIT ?4`,
  );
  statement.setReadBigInts(true);
  return statement.all(organization, after.createdAt, after.id, limit).map(adminKeyOf);
}

export function revokeAdminKey(database: DatabaseSync, id: AdminKeyId, at: Timestamp): AdminKey {
  database.prepare('UPDATE admin_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL').run(at, id);
  return requireRevoked(adminKeyWith(database, id));
}

export function rotateAdminKey(
  database: DatabaseSync,
  id: AdminKeyId,
  rotation: Rotation,
  overlap: Duration,
): RotatedAdminKey {
  const both = rotated(adminKeyWith(database, id), rotation, overlap);
  createAdminKey(database, both.new);
  const update = database.prepare('UPDATE admin_keys SET expires_at = ?, replaced_by = ? WHERE id = ?');
  update.run(both.old.expiresAt, both.old.replacedBy, id);
  return both;
}

export function copyAdminKeys(database: DatabaseSync, keys: readonly AdminKey[]): AdminKeyCopies {
  const find = adminKeysById(database);
  const stored = new Map(
    keys.flatMap(({ id }) => {
      const key = find(id);
      return key ? [[id, key]] : [];
    }),
  );
  const copies = copiesOf(keys, stored);
  for (const key of copies.created) createAdminKey(database, key);
  const update = database.prepare(
    'UPDATE admin_keys SET expires_at = ?, revoked_at = ?, replaced_by = ? WHERE id = ?',
  );
  for (const { expiresAt, revokedAt, replacedBy, id } of copies.updated)
    update.run(expiresAt, revokedAt, replacedBy, id);
  return copies;
}

function adminKeyWith(database: DatabaseSync, id: AdminKeyId): AdminKey {
  const key = adminKeysById(database)(id);
  if (!key) throw unknownAdminKey();
  return key;
}

function adminKeysById(database: DatabaseSync): (id: AdminKeyId) => AdminKey | null {
  const statement = database.prepare(`SELECT ${ADMIN_KEY_COLUMNS} WHERE admin_keys.id = ?`);
  statement.setReadBigInts(true);
  return id => {
    const row = statement.get(id);
    return row ? adminKeyOf(row) : null;
  };
}

function adminKeyOf(row: Record<string, SQLOutputValue>): AdminKey {
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
