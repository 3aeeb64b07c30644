import type { DatabaseSync } from 'node:sqlite';
import type { OrganizationId } from '../roster/identifier.ts';
import type { Organization } from '../roster/organization.ts';
import { organizationExists, unknownOrganization } from '../roster/refusals.ts';
import type { CreationPosition } from '../roster/walk-by-creation.ts';

export function createOrganization(database: DatabaseSync, { id, name, createdAt }: Organization): void {
  const sql = 'INSERT INTO organizations (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING';
  const { changes } = database.prepare(sql).run(id, name, createdAt);
  if (changes === 0) throw organizationExists(id);
}

export function listOrganizations(
  database: DatabaseSync,
  after: CreationPosition,
  limit: number,
): readonly Organization[] {
  const statement = database.prepare(
    `SELECT id, name, created_at AS createdAt FROM organizations
     WHERE (created_at, id) > (?1, ?2) ORDER BY created_at, id LIMIT ?3`,
  );
  statement.setReadBigInts(true);
  return statement.all(after.createdAt, after.id, limit) as unknown as Organization[];
}

export function findOrganization(database: DatabaseSync, id: OrganizationId): Organization {
  const statement = database.prepare(
    'SELECT id, name, created_at AS createdAt FROM organizations WHERE id = ?',
  );
  statement.setReadBigInts(true);
  const organization = statement.get(id) as unknown as Organization | undefined;
  if (!organization) throw unknownOrganization();
  return organization;
}

/** The organization's primary key in this store. Throws `Refused` for an unknown organization. */
export function organizationNumber(database: DatabaseSync, id: OrganizationId): number {
  const row = database.prepare('SELECT number FROM organizations WHERE id = ?').get(id);
  if (!row) throw unknownOrganization();
  return row.number as number;
}
