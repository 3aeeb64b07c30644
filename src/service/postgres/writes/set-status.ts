import type { ApiKeyId, OrganizationId } from '../../../shared/record/identifier.ts';
import type { Status } from '../../../shared/record/status.ts';
import type { StatusCounts } from '../../roster/writes/put-outcome.ts';
import { requireStatusChanges } from '../../roster/writes/refusals.ts';
import { keysDropped } from '../errors.ts';
import { idList, type Statements } from '../statements.ts';
import { storedStatus } from '../stored-values.ts';
import { requireOwnTable } from '../vendor-table/own-table.ts';
import { requireWritable } from './organizations.ts';

export async function setStatus(
  client: Statements,
  organization: OrganizationId,
  ids: readonly ApiKeyId[],
  status: Status,
): Promise<StatusCounts> {
  await requireOwnTable(client);
  const distinct = new Set(ids);
  const { rows: found } = await client.query(
    `SELECT id, status FROM keyroster.api_keys WHERE organization_id = $1 AND id = ANY (pg_catalog.string_to_array($2::text, ' '))
     ORDER BY id FOR UPDATE`, // locks in one order, so that two commands can't deadlock
    [organization, idList(distinct)],
  );
  await requireWritable(client, organization); // after the API keys, as `LOCK_ORDER` has it
  requireStatusChanges(new Map(found.map(({ id, status }) => [id, status])), ids, status);
  const { rows: changed } = await client.query(
    `UPDATE keyroster.api_keys SET status = $3
     WHERE organization_id = $1 AND id = ANY (pg_catalog.string_to_array($2::text, ' ')) AND status <> $3 RETURNING id`,
    [organization, idList(distinct), storedStatus[status]],
  );
  const left = found.filter(key => key.status !== storedStatus[status]).length - changed.length;
  if (left > 0) throw keysDropped(left, 'not changed');
  return { changed: changed.length, unchanged: distinct.size - changed.length };
}
