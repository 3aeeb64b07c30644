import type { Client } from 'pg';
import { mayBecome, type Status } from '../roster/api-key.ts';
import { Refused } from '../roster/errors.ts';
import type { ApiKeyId, OrganizationId } from '../roster/identifier.ts';
import type { StatusCounts } from '../roster/roster.ts';
import { findOrganization } from './organizations.ts';
import { inTransaction } from './transaction.ts';

export async function setStatus(
  client: Client,
  organization: OrganizationId,
  ids: readonly ApiKeyId[],
  status: Status,
): Promise<StatusCounts> {
  await findOrganization(client, organization);
  return inTransaction(client, async () => {
    const distinct = [...new Set(ids)];
    const { rows } = await client.query<{ id: string; status: Status }>(
      `SELECT id, status FROM keyroster.api_keys WHERE organization_id = $1 AND id = ANY ($2)
       ORDER BY id FOR UPDATE`, // in one order, so that two batches can't wait for each other
      [organization, distinct],
    );
    const statuses = new Map(rows.map(row => [row.id, row.status]));
    const refusals = distinct.flatMap(id => {
      const from = statuses.get(id);
      if (from === undefined) return [`${id}: no such API key in this organization`];
      return mayBecome(from, status) ? [] : [`${id}: is ${from}, which is final`];
    });
    if (refusals.length > 0) throw new Refused(`no status was changed: ${refusals.join('; ')}`);
    const { rowCount } = await client.query(
      `UPDATE keyroster.api_keys SET status = $3
       WHERE organization_id = $1 AND id = ANY ($2) AND status <> $3`,
      [organization, distinct, status],
    );
    const changed = rowCount ?? 0;
    return { changed, unchanged: distinct.length - changed };
  });
}
