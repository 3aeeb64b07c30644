import type { DatabaseSync } from 'node:sqlite';
import type { Status } from '../roster/api-key.ts';
import type { ApiKeyRecord } from '../roster/api-key-record.ts';
import type { ApiKeyId, OrganizationId } from '../roster/identifier.ts';
import { requireStatusChanges } from '../roster/refusals.ts';
import type { StatusCounts } from '../roster/roster.ts';
import { organizationNumber } from './organizations.ts';
import { recordTail, wholeRecord } from './record.ts';
import { storedStatus } from './stored-values.ts';

export function setStatus(
  database: DatabaseSync,
  organizationId: OrganizationId,
  ids: readonly ApiKeyId[],
  status: Status,
): StatusCounts {
  const organization = organizationNumber(database, organizationId);
  const find = database.prepare('SELECT record FROM api_keys WHERE organization = ? AND id = ?');
  const update = database.prepare(
    'UPDATE api_keys SET status = ?, record = ? WHERE organization = ? AND id = ?',
  );
  const distinct = new Set(ids);

  const records = new Map<ApiKeyId, ApiKeyRecord>();
  for (const id of distinct) {
    const tail = find.get(organization, id)?.record as string | undefined;
    if (tail !== undefined) records.set(id, JSON.parse(wholeRecord(id, tail)));
  }
  const statuses = new Map(Array.from(records, ([id, record]) => [id, record.status]));
  requireStatusChanges(statuses, distinct, status);
  const changing = [...records].filter(([, record]) => record.status !== status);
  for (const [id, record] of changing) {
    const tail = recordTail(id, JSON.stringify({ ...record, status }));
    update.run(storedStatus[status], tail, organization, id);
  }
  return { changed: changing.length, unchanged: distinct.size - changing.length };
}
