import { type ApiKeyRecord, KeyrosterError } from '../../client/client.ts';

type Check = (value: unknown) => boolean;

const isText: Check = value => typeof value === 'string';
const isTextOrNull: Check = value => value === null || isText(value);
const isCreator: Check = value =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  isText(value.id) &&
  'type' in value &&
  isText(value.type);

/** What the console relies on, of each field of the contract. A newer service may have more fields and more statuses. */
const checks = {
  id: isText,
  type: isText,
  name: isText,
  created_at: isText,
  created_by: isCreator,
  partial_key_hint: isText,
  status: isText,
  workspace_id: isTextOrNull,
} as const satisfies Record<keyof ApiKeyRecord, Check>;
const fields = Object.keys(checks) as (keyof typeof checks)[];

/** The records, once it is sure that they can be shown. Throws a `KeyrosterError` of type `unexpected_answer_error`. */
export function checkedRecords(records: readonly ApiKeyRecord[]): readonly ApiKeyRecord[] {
  for (const record of records) {
    const field = fields.find(name => !checks[name](record[name]));
    if (field === undefined) continue;
    const message = `the service lists ${record.id} with a ${field} that docs/api.md does not allow`;
    throw new KeyrosterError({ type: 'unexpected_answer_error', message });
  }
  return records;
}
