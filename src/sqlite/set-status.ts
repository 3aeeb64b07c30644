import type { DatabaseSync } from 'node:sqlite';
import type { Status } from '../roster/api-key.ts';
import type { StatusCounts } from '../roster/counts.ts';
import type { ApiKeyId, OrganizationId } from '../roster/identifier.ts';
import { requireStatusChanges } from '../roster/refusals.ts';
import { organizationNumber } from './organizations.ts';
import { recordTail, storedRecords } from './record.ts';
import { storedStatus } from './stored-values.ts';

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

  const records = storedRecords(database, organization, distinct);
  const statuses = new Map(Array.from(records, ([id, record]) => [id, record.status]));
  requireStatusChanges(statuses, ids, status);
  const changing = [...records].filter(([, record]) => record.status !== status);
  for (const [id, record] of changing) {
    const tail = recordTail(id, JSON.stringify({ ...record, status }));
    update.run(storedStatus[status], tail, organization, id);
  }
  return { changed: changing.length, unchanged: distinct.size - changing.length };
}
