import type { DatabaseSync } from 'node:sqlite';
import { Refused } from '../roster/errors.ts';
import type { OrganizationId } from '../roster/identifier.ts';
import type { Organization } from '../roster/organization.ts';

export function createOrganization(database: DatabaseSync, { id, name, createdAt }: Organization): void {
  const sql = 'INSERT INTO organizations (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING';
  const { changes } = database.prepare(sql).run(id, name, createdAt);
  if (changes === 0) throw new Refused(`organization ${id} exists already: choose another ID`);
}

export function listOrganizations(database: DatabaseSync): readonly Organization[] {
  const statement = database.prepare(
    'SELECT id, name, created_at AS createdAt FROM organizations ORDER BY created_at, id',
  );
  statement.setReadBigInts(true);
  return statement.all() as unknown as Organization[];
}

export function findOrganization(database: DatabaseSync, id: OrganizationId): Organization {
  const statement = database.prepare(
    'SELECT id, name, created_at AS createdAt FROM organizations WHERE id = ?',
  );
  statement.setReadBigInts(true);
  return (statement.get(id) as unknown as Organization | undefined) ?? refuseUnknown();
}

/** The organization's number in this store. Refuses an unknown one. */
export function organizationNumber(database: DatabaseSync, id: OrganizationId): number {
  const row = database.prepare('SELECT number FROM organizations WHERE id = ?').get(id);
  return (row?.number as number | undefined) ?? refuseUnknown();
}

function refuseUnknown(): never {
  throw new Refused('there is no organization with this ID: "keyroster organizations list" shows them');
}
