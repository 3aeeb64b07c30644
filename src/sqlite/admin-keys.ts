import type { DatabaseSync } from 'node:sqlite';
import { type AdminKey, type Rotation, rotated } from '../roster/admin-key.ts';
import type { Duration } from '../roster/duration.ts';
import {
  type AdminKeyChanges,
  type AdminKeyLine,
  type GivenAdminKey,
  nameInOrganization,
  newAdminKeysOf,
  organizationsOf,
} from '../roster/given-admin-key.ts';
import type { AdminKeyId, OrganizationId } from '../roster/identifier.ts';
import { unknownAdminKey } from '../roster/refusals.ts';
import type { RotatedAdminKey, UseCounts } from '../roster/roster.ts';
import { type Timestamp, timestampOfDate } from '../roster/timestamp.ts';
import type { CreationPosition } from '../roster/walks.ts';
import { ADMIN_KEY_COLUMNS, adminKeyOf } from './find-admin-key.ts';
import { findOrganization, organizationNumber, organizationsWith } from './organizations.ts';

export function createAdminKey(database: DatabaseSync, key: AdminKey): void {
  const organization = organizationNumber(database, key.organizationId);
  database
    .prepare(
      `INSERT INTO admin_keys
         (digest, id, organization, name, last_characters, created_at, expires_at, revoked_at, networks, replaced_by, last_used_on)
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
      key.lastUsedOn,
    );
}

export function createAdminKeys(
  database: DatabaseSync,
  lines: readonly AdminKeyLine[],
  issue: (missing: readonly GivenAdminKey[]) => readonly AdminKey[],
): AdminKeyChanges {
  const organizations = organizationsWith(database, organizationsOf(lines));
  const namesInUse = validNames(database);
  const { missing, ...others } = newAdminKeysOf(lines, organizations, namesInUse);
  if (others.refused.length > 0) return { created: [], ...others };
  const created = issue(missing);
  for (const key of created) createAdminKey(database, key);
  return { created, ...others };
}

function validNames(database: DatabaseSync): Set<string> {
  const names = database.prepare(
    `SELECT organizations.id AS organizationId, admin_keys.name
     FROM admin_keys JOIN organizations ON organizations.number = admin_keys.organization
     WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
  );
  const valid = names.all(timestampOfDate(new Date())) as unknown as Pick<
    AdminKey,
    'organizationId' | 'name'
  >[];
  return new Set(valid.map(nameInOrganization));
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
  return adminKeyWith(database, id);
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

export function recordAdminKeyUse(database: DatabaseSync, days: ReadonlyMap<AdminKeyId, string>): UseCounts {
  const exists = database.prepare('SELECT 1 FROM admin_keys WHERE id = ?');
  const update = database.prepare(
    'UPDATE admin_keys SET last_used_on = ?1 WHERE id = ?2 AND (last_used_on IS NULL OR last_used_on < ?1)',
  );
  const counts = { updated: 0, unchanged: 0, unknown: 0 };
  for (const [id, day] of days) {
    if (Number(update.run(day, id).changes) > 0) counts.updated += 1;
    else counts[exists.get(id) ? 'unchanged' : 'unknown'] += 1;
  }
  return counts;
}

function adminKeyWith(database: DatabaseSync, id: AdminKeyId): AdminKey {
  const statement = database.prepare(`SELECT ${ADMIN_KEY_COLUMNS} WHERE admin_keys.id = ?`);
  statement.setReadBigInts(true);
  const row = statement.get(id);
  if (!row) throw unknownAdminKey();
  return adminKeyOf(row);
}
