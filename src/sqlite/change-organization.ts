import type { DatabaseSync } from 'node:sqlite';
import type { OrganizationId } from '../roster/identifier.ts';
import type { StoredOrganization } from '../roster/organization.ts';
import type { Timestamp } from '../roster/timestamp.ts';
import { findOrganization, organizationNumber } from './organizations.ts';

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
