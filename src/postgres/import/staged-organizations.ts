/** The organizations that the lines of an import name. */
import type { Client } from 'pg';
import type { OrganizationId } from '../../roster/identifier.ts';
import { idArray } from '../statements.ts';
import type { Staged } from './stage-import.ts';

export type State = 'there' | 'being deleted' | 'missing';

export async function findOrganizations({
  client,
  organizations,
}: Staged): Promise<Map<OrganizationId, State>> {
  const { rows } = await client.query<{ id: OrganizationId; state: State }>(FIND, [idArray(organizations)]);
  const found = new Map(rows.map(({ id, state }) => [id, state]));
  return new Map(organizations.map(id => [id, found.get(id) ?? 'missing']));
}

const FIND = `
  SELECT id, CASE WHEN deleted_at IS NULL THEN 'there' ELSE 'being deleted' END AS state
  FROM keyroster.organizations WHERE id IN (SELECT unnest($1::text::text[]))`;

/** The name of each is its ID. Returns those that nobody else has created meanwhile. */
export async function createMissing(
  client: Client,
  missing: readonly OrganizationId[],
): Promise<ReadonlySet<OrganizationId>> {
  if (missing.length === 0) return new Set();
  const { rows } = await client.query<{ id: OrganizationId }>(CREATE, [idArray(missing)]);
  return new Set(rows.map(({ id }) => id));
}

const CREATE = `
  INSERT INTO keyroster.organizations (id, name, created_at)
  SELECT id, id, now() FROM unnest($1::text::text[]) AS id ON CONFLICT (id) DO NOTHING RETURNING id`;
