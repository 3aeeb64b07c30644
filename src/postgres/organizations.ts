import type { Client } from 'pg';
import type { OrganizationId } from '../roster/identifier.ts';
import type { Organization } from '../roster/organization.ts';
import { organizationExists, unknownOrganization } from '../roster/refusals.ts';
import { microseconds, timestampOf, timestamptz } from './timestamp.ts';

export async function createOrganization(
  client: Client,
  { id, name, createdAt }: Organization,
): Promise<void> {
  const text = `INSERT INTO keyroster.organizations (id, name, created_at) VALUES ($1, $2, $3)
    ON CONFLICT (id) DO NOTHING`;
  const { rowCount } = await client.query(text, [id, name, timestamptz(createdAt)]);
  if (rowCount === 0) throw organizationExists(id);
}

const SELECT = `SELECT id, name, ${microseconds('created_at')} AS created_at FROM keyroster.organizations`;

export async function listOrganizations(client: Client): Promise<readonly Organization[]> {
  const { rows } = await client.query(`${SELECT} ORDER BY keyroster.organizations.created_at, id`);
  return rows.map(organizationOf);
}

export async function findOrganization(client: Client, id: OrganizationId): Promise<Organization> {
  const { rows } = await client.query(`${SELECT} WHERE id = $1`, [id]);
  if (!rows[0]) throw unknownOrganization();
  return organizationOf(rows[0]);
}

function organizationOf(row: { id: string; name: string; created_at: string }): Organization {
  return { id: row.id as OrganizationId, name: row.name, createdAt: timestampOf(row.created_at) };
}
