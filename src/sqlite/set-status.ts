import type { DatabaseSync } from 'node:sqlite';
import { mayBecome, type Status } from '../roster/api-key.ts';
import type { ApiKeyRecord } from '../roster/api-key-record.ts';
import { Refused } from '../roster/errors.ts';
import type { ApiKeyId, OrganizationId } from '../roster/identifier.ts';
import type { StatusCounts } from '../roster/roster.ts';
import { organizationNumber } from './organizations.ts';
import { recordTail, wholeRecord } from './record.ts';
import { statusNumber } from './schema.ts';
import { inTransaction } from './transaction.ts';

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

  return inTransaction(database, () => {
    const refusals: string[] = [];
    let changed = 0;
    const distinct = new Set(ids);
    for (const id of distinct) {
      const tail = find.get(organization, id)?.record as string | undefined;
      const record = tail === undefined ? undefined : (JSON.parse(wholeRecord(id, tail)) as ApiKeyRecord);
      if (!record) refusals.push(`${id}: no such API key in this organization`);
      else if (!mayBecome(record.status, status)) refusals.push(`${id}: is ${record.status}, which is final`);
      else if (record.status !== status) {
        const changedTail = recordTail(id, JSON.stringify({ ...record, status }));
        update.run(statusNumber[status] ?? null, changedTail, organization, id);
        changed += 1;
      }
    }
    if (refusals.length > 0) throw new Refused(`no status was changed: ${refusals.join('; ')}`);
    return { changed, unchanged: distinct.size - changed };
  });
}
