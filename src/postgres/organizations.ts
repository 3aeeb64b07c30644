import type { OrganizationId } from '../roster/identifier.ts';
import type { Organization } from '../roster/organization.ts';
import { organizationExists, unknownOrganization } from '../roster/refusals.ts';
import type { CreationPosition } from '../roster/walk-by-creation.ts';
import { idArray, type Statements } from './statements.ts';
import { microseconds, timestampOf, timestamptz } from './timestamp.ts';

export async function createOrganization(
  client: Statements,
  { id, name, createdAt }: Organization,
): Promise<void> {
  const text = `INSERT INTO keyroster.organizations (id, name, created_at) VALUES ($1, $2, $3::text::timestamptz)
    ON CONFLICT (id) DO NOTHING RETURNING id`;
  const { rows } = await client.query(text, [id, name, timestamptz(createdAt)]);
  if (rows.length === 0) throw organizationExists(id);
}

const SELECT = `SELECT id, name, ${microseconds('created_at')} AS created FROM keyroster.organizations`;

export async function listOrganizations(
  client: Statements,
  after: CreationPosition,
  limit: number,
): Promise<readonly Organization[]> {
  const text = `${SELECT} WHERE (created_at, id) > ($1::text::timestamptz, $2::text)
    ORDER BY created_at, id LIMIT $3::text::integer`;
  const { rows } = await client.query(text, [...positionValues(after), String(limit)]);
  return rows.map(organizationOf);
}

export async function findOrganization(client: Statements, id: OrganizationId): Promise<Organization> {
  const { rows } = await client.query(`${SELECT} WHERE id = $1`, [id]);
  if (!rows[0]) throw unknownOrganization();
  return organizationOf(rows[0]);
}

/** The values of the parameters for a position: its time and its ID. */
export function positionValues(after: CreationPosition): [createdAt: string, id: string] {
  return [timestamptz(after.createdAt), after.id];
}

/** Those of these organizations in which API keys can be written. */
export async function existingOrganizations(
  client: Statements,
  ids: Iterable<OrganizationId>,
): Promise<ReadonlySet<OrganizationId>> {
  const text =
    'SELECT id FROM keyroster.organizations WHERE id = ANY ($1::text::text[]) AND deleted_at IS NULL';
  const { rows } = await client.query(text, [idArray(ids)]);
  return new Set(rows.map(({ id }) => id));
}

function organizationOf(row: { id: string; name: string; created: string }): Organization {
  return { id: row.id as OrganizationId, name: row.name, createdAt: timestampOf(row.created) };
}
