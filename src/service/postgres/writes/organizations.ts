import type { OrganizationId } from '../../../shared/record/identifier.ts';
import type { Timestamp } from '../../../shared/record/timestamp.ts';
import type { Organization, StoredOrganization } from '../../roster/organization.ts';
import type { CreationPosition } from '../../roster/walks.ts';
import { beingDeleted, organizationExists, unknownOrganization } from '../../roster/writes/refusals.ts';
import { idList, type Row, type Statements, type Value } from '../statements.ts';
import { microseconds, timestampOf, timestamptz } from '../timestamp.ts';

export async function createOrganization(
  client: Statements,
  { id, name, createdAt }: Organization,
): Promise<void> {
  const text = `INSERT INTO keyroster.organizations (id, name, created_at) VALUES ($1, $2, $3::text::timestamptz)
    ON CONFLICT (id) DO NOTHING RETURNING id`;
  const { rows } = await client.query(text, [id, name, timestamptz(createdAt)]);
  if (rows.length === 0) throw organizationExists(id);
}

const SELECT = `SELECT id, name, ${microseconds('created_at')} AS created,
    ${microseconds('disabled_at')} AS disabled, ${microseconds('deleted_at')} AS deleted
  FROM keyroster.organizations`;

export async function listOrganizations(
  client: Statements,
  after: CreationPosition,
  limit: number,
): Promise<readonly StoredOrganization[]> {
  const text = `${SELECT} WHERE (created_at, id) > ($1::text::timestamptz, $2::text)
    ORDER BY created_at, id LIMIT $3::text::integer`;
  const { rows } = await client.query(text, [...positionValues(after), String(limit)]);
  return rows.map(organizationOf);
}

export async function findOrganization(client: Statements, id: OrganizationId): Promise<StoredOrganization> {
  const { rows } = await client.query(`${SELECT} WHERE id = $1`, [id]);
  if (!rows[0]) throw unknownOrganization();
  return organizationOf(rows[0]);
}

/** To be called before an organization is written. Throws `Refused` for one that is unknown or being deleted. */
export async function requireWritable(client: Statements, id: OrganizationId): Promise<void> {
  const { deletedAt } = await findOrganization(client, id);
  if (deletedAt !== null) throw beingDeleted();
}

/** Those of these that the store has. `= ANY` would read the text of the array again for each row of the table. */
export async function organizationsWith(
  client: Statements,
  ids: readonly OrganizationId[],
): Promise<Map<OrganizationId, StoredOrganization>> {
  const { rows } = await client.query(
    `${SELECT} WHERE id IN (SELECT pg_catalog.unnest(pg_catalog.string_to_array($1::text, ' ')))`,
    [idList(ids)],
  );
  return new Map(rows.map(organizationOf).map(organization => [organization.id, organization]));
}

/** Creates those that an import names. The name of each is its ID. Returns those that nobody else has created meanwhile. */
export async function createMissing(
  client: Statements,
  missing: readonly OrganizationId[],
): Promise<ReadonlySet<OrganizationId>> {
  if (missing.length === 0) return new Set();
  const { rows } = await client.query(CREATE_MISSING, [idList(missing)]);
  return new Set(rows.map(({ id }) => id as OrganizationId));
}

const CREATE_MISSING = `
  INSERT INTO keyroster.organizations (id, name, created_at)
  SELECT id, id, now() FROM pg_catalog.unnest(pg_catalog.string_to_array($1::text, ' ')) AS id ON CONFLICT (id) DO NOTHING RETURNING id`;

/** The values of the parameters for a position: its time and its ID. */
export function positionValues(after: CreationPosition): [createdAt: string, id: string] {
  return [timestamptz(after.createdAt), after.id];
}

function organizationOf({ id, name, created, disabled, deleted }: Row): StoredOrganization {
  return {
    id,
    name,
    createdAt: timestampOf(created),
    disabledAt: disabled === null ? null : timestampOf(disabled),
    deletedAt: deleted === null ? null : timestampOf(deleted),
  };
}

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
