import type { OrganizationId } from '../roster/identifier.ts';
import type { StoredOrganization } from '../roster/organization.ts';
import { beingDeleted } from '../roster/refusals.ts';
import type { Timestamp } from '../roster/timestamp.ts';
import { findOrganization, requireWritable } from './organizations.ts';
import type { Statements, Value } from './statements.ts';
import { timestamptz } from './timestamp.ts';

export async function renameOrganization(
  client: Statements,
  id: OrganizationId,
  name: string,
): Promise<StoredOrganization> {
  await change(client, id, 'name = $2', name);
  return findOrganization(client, id);
}

export async function disableOrganization(
  client: Statements,
  id: OrganizationId,
  at: Timestamp,
): Promise<StoredOrganization> {
  await change(client, id, 'disabled_at = coalesce(disabled_at, $2::timestamptz)', timestamptz(at));
  await refuseAdminKeys(client, id);
  return findOrganization(client, id);
}

export async function enableOrganization(
  client: Statements,
  id: OrganizationId,
): Promise<StoredOrganization> {
  await change(client, id, 'disabled_at = $2::text::timestamptz', null);
  await client.query('DELETE FROM keyroster.disabled_organizations WHERE organization_id = $1', [id]);
  return findOrganization(client, id);
}

/** The lookup of an admin key needs no other table for it: on Citus that of the organizations is on the workers. */
export async function refuseAdminKeys(client: Statements, id: OrganizationId): Promise<void> {
  await client.query(
    'INSERT INTO keyroster.disabled_organizations (organization_id) VALUES ($1) ON CONFLICT (organization_id) DO NOTHING',
    [id],
  );
}

async function change(client: Statements, id: OrganizationId, set: string, value: Value): Promise<void> {
  await requireWritable(client, id);
  const text = `UPDATE keyroster.organizations SET ${set} WHERE id = $1 AND deleted_at IS NULL RETURNING id`;
  const { rows } = await client.query(text, [id, value]);
  if (rows.length === 0) throw beingDeleted(); // since it was looked at
}
