import type { DatabaseSync } from 'node:sqlite';
import type { ApiKeyId, OrganizationId } from '../../../shared/record/identifier.ts';
import { STATUSES, type Status } from '../../../shared/record/status.ts';
import type { StatusCounts } from '../../roster/writes/put-outcome.ts';
import { requireStatusChanges } from '../../roster/writes/refusals.ts';
import { storedStatus } from '../stored-values.ts';
import { organizationNumber } from './organizations.ts';

export function setStatus(
  database: DatabaseSync,
  organizationId: OrganizationId,
  ids: readonly ApiKeyId[],
  status: Status,
): StatusCounts {
  const organization = organizationNumber(database, organizationId);
  const update = database.prepare(
    'UPDATE api_keys SET status = ?, record = ?, import = -abs(import) WHERE organization = ? AND id = ?',
  );
  const distinct = new Set(ids);

  const find = database.prepare('SELECT status, record FROM api_keys WHERE organization = ? AND id = ?');
  const statuses = new Map<ApiKeyId, Status>();
  for (const id of distinct) {
    const stored = find.get(organization, id)?.status as number | undefined;
    if (stored !== undefined)
      statuses.set(id, STATUSES.find(known => storedStatus[known] === stored) as Status);
  }
  requireStatusChanges(statuses, ids, status);
  const changing = [...distinct].filter(id => statuses.get(id) !== status);
  // One record at a time: there may be a million.
  for (const id of changing) {
    const record = JSON.parse(find.get(organization, id)?.record as string);
    update.run(storedStatus[status], JSON.stringify({ ...record, status }), organization, id);
  }
  return { changed: changing.length, unchanged: distinct.size - changing.length };
}
