import type { DatabaseSync } from 'node:sqlite';
import type { OrganizationId } from '../../../shared/record/identifier.ts';
import type { Timestamp } from '../../../shared/record/timestamp.ts';
import type { Organization, StoredOrganization } from '../../roster/organization.ts';
import type { CreationPosition } from '../../roster/walks.ts';
import { beingDeleted, organizationExists, unknownOrganization } from '../../roster/writes/refusals.ts';

export function createOrganization(database: DatabaseSync, { id, name, createdAt }: Organization): void {
  const sql = 'INSERT INTO organizations (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING';
  const { changes } = database.prepare(sql).run(id, name, createdAt);
  if (changes === 0) throw organizationExists(id);
}

const SELECT = `SELECT id, name, created_at AS createdAt, disabled_at AS disabledAt, deleted_at AS deletedAt
  FROM organizations`;

export function listOrganizations(
  database: DatabaseSync,
  after: CreationPosition,
  limit: number,
): readonly StoredOrganization[] {
  const statement = database.prepare(
    `${SELECT} WHERE (created_at, id) > (?1, ?2) ORDER BY created_at, id LIMIT ?3`,
  );
  statement.setReadBigInts(true);
  return statement.all(after.createdAt, after.id, limit) as unknown as StoredOrganization[];
}

export function findOrganization(database: DatabaseSync, id: OrganizationId): StoredOrganization {
  const statement = database.prepare(`${SELECT} WHERE id = ?`);
  statement.setReadBigInts(true);
  const organization = statement.get(id) as unknown as StoredOrganization | undefined;
  if (!organization) throw unknownOrganization();
  return organization;
}

/** The number of an organization that is written. Throws `Refused` for one that is unknown or being deleted. */
export function organizationNumber(database: DatabaseSync, id: OrganizationId): number {
  return organizationNumbers(database)(id);
}

/** Returns the same function, for many. */
export function organizationNumbers(database: DatabaseSync): (id: OrganizationId) => number {
  const find = database.prepare('SELECT number, deleted_at FROM organizations WHERE id = ?');
  return id => {
    const row = find.get(id);
    if (!row) throw unknownOrganization();
    if (row.deleted_at !== null) throw beingDeleted();
    return row.number as number;
  };
}

export function renameOrganization(
  database: DatabaseSync,
  id: OrganizationId,
  name: string,
): StoredOrganization {
  return changed(database, id, 'name = ?2', name);
}

export function disableOrganization(
  database: DatabaseSync,
  id: OrganizationId,
  at: Timestamp,
): StoredOrganization {
  return changed(database, id, 'disabled_at = coalesce(disabled_at, ?2)', at);
}

export function enableOrganization(database: DatabaseSync, id: OrganizationId): StoredOrganization {
  return changed(database, id, 'disabled_at = ?2', null);
}

function changed(
  database: DatabaseSync,
  id: OrganizationId,
  set: string,
  value: string | bigint | null,
): StoredOrganization {
  const number = organizationNumber(database, id);
  database.prepare(`UPDATE organizations SET ${set} WHERE number = ?1`).run(number, value);
  return findOrganization(database, id);
}
