import { type ApiKeyRecord, KeyrosterError } from '../../client/client.ts';
import { unreadableFields } from '../../formats/readable-record.ts';

/** The records, once it is sure that they can be shown. Throws a `KeyrosterError` of type `unexpected_answer_error`. */
export function checkedRecords(records: readonly ApiKeyRecord[]): readonly ApiKeyRecord[] {
  for (const record of records) {
    const [field = typeof record.type === 'string' ? undefined : 'type'] = unreadableFields(record);
    if (field === undefined) continue;
    const message = `the service lists ${record.id} with a ${field} that docs/api.md does not allow`;
    throw new KeyrosterError({ type: 'unexpected_answer_error', message });
  }
  return records;
}
