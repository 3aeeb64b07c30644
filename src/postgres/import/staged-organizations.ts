/** The organizations that the lines of an import name. */
import type { Client } from 'pg';
import type { OrganizationId } from '../../roster/identifier.ts';
import { organizationFault } from '../../roster/refusals.ts';
import type { ImportRefusal } from '../../roster/imports.ts';
import { idArray } from '../statements.ts';
import { batches } from './batches.ts';
import type { Staged } from './stage-import.ts';

type State = 'there' | 'being deleted' | 'missing';

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

/** The lines of organizations that are being deleted, or that there aren't, unless these are to be created. */
export async function* refusedOrganizations(
  { client }: Staged,
  states: ReadonlyMap<OrganizationId, State>,
  createsMissing: boolean,
): AsyncGenerator<ImportRefusal[]> {
  const isRefused = (state: State) => state === 'being deleted' || (state === 'missing' && !createsMissing);
  const ids = [...states].filter(([, state]) => isRefused(state)).map(([id]) => id);
  if (ids.length === 0) return;
  const text =
    'SELECT line, organization_id, record FROM staged WHERE organization_id IN (SELECT unnest($1::text::text[])) ORDER BY line';
  for await (const rows of batches<Row>(client, text, [idArray(ids)])) {
    yield rows.map(({ line, organization_id: id, record }) => ({
      line: Number(line),
      organizationId: id,
      faults: [organizationFault(id, states.get(id) === 'missing' ? 'unknown' : 'being deleted')],
      source: record,
    }));
  }
}

interface Row {
  readonly line: string;
  readonly organization_id: OrganizationId;
  readonly record: string;
}

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
