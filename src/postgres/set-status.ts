import type { Client } from 'pg';
import type { Status } from '../roster/api-key.ts';
import type { ApiKeyId, OrganizationId } from '../roster/identifier.ts';
import { requireStatusChanges } from '../roster/refusals.ts';
import type { StatusCounts } from '../roster/roster.ts';
import { findOrganization } from './organizations.ts';
import { storedStatus } from './stored-values.ts';

export async function setStatus(
  client: Client,
  organization: OrganizationId,
  ids: readonly ApiKeyId[],
  status: Status,
): Promise<StatusCounts> {
  await findOrganization(client, organization);
  const distinct = new Set(ids);
  const { rows } = await client.query<{ id: ApiKeyId; status: Status }>(
    `SELECT id, status FROM keyroster.api_keys WHERE organization_id = $1 AND id = ANY ($2)
     ORDER BY id FOR UPDATE`, // locks in one order, so that two commands can't deadlock
    [organization, [...distinct]],
  );
  requireStatusChanges(new Map(rows.map(row => [row.id, row.status])), distinct, status);
  const { rowCount } = await client.query(
    `UPDATE keyroster.api_keys SET status = $3
     WHERE organization_id = $1 AND id = ANY ($2) AND status <> $3`,
    [organization, [...distinct], storedStatus[status]],
  );
  const changed = rowCount ?? 0;
  return { changed, unchanged: distinct.size - changed };
}
