import type { ApiKeyRecord } from '../../client/client.ts';
import type { Fault, Faulty } from '../../shared/record/faults.ts';
import { isObject, printableName } from '../../shared/record/fields.ts';
import { KEY_ID_RULE, parseKeyId } from '../../shared/record/identifier.ts';
import {
  containsMaskedKey,
  PARTIAL_KEY_HINT_RULE,
  parsePartialKeyHint,
} from '../../shared/record/partial-key-hint.ts';
import { containsAdminKey, NO_ADMIN_KEY_RULE } from '../../shared/record/redact-admin-keys.ts';
import { parseTimestamp, TIMESTAMP_RULE } from '../../shared/record/timestamp.ts';
import { unreadableFields } from '../report/readable-record.ts';

/**
 * Reads a record that was saved. It needs each field of the contract but its type; unknown ones are kept. Key material in it is a
 * fault, as for an import: it would be shown.
 */
export function parseSavedRecord(value: unknown): { readonly record: ApiKeyRecord } | Faulty {
  if (!isObject(value)) return { faults: [{ field: null, problem: 'must be an object' }] };
  const { id, type = 'api_key', created_at } = value;
  if (type !== 'api_key')
    return { faults: [{ field: null, problem: 'is not an API key: type must be api_key or absent' }] };
  const missing = unreadableFields(value).filter(field => field !== 'id' && field !== 'created_at');
  const faults: Fault[] = [];
  if (missing.length > 0)
    faults.push({ field: null, problem: `lacks ${missing.join(', ')}: save the roster with all columns` });
  if (parseKeyId(id) === undefined) faults.push({ field: 'id', problem: KEY_ID_RULE });
  if (parseTimestamp(created_at) === undefined) faults.push({ field: 'created_at', problem: TIMESTAMP_RULE });
  faults.push(...keyMaterialIn(value));
  return faults.length > 0 ? { faults } : { record: value as unknown as ApiKeyRecord };
}

function* keyMaterialIn(record: Record<string, unknown>): Generator<Fault> {
  const hint = parsePartialKeyHint(record.partial_key_hint);
  if (typeof record.partial_key_hint === 'string' && hint === undefined)
    yield { field: 'partial_key_hint', problem: PARTIAL_KEY_HINT_RULE };
  for (const [name, text] of Object.entries({ ...record, ...creatorOf(record) })) {
    if (typeof text !== 'string') continue;
    if (containsAdminKey(text)) yield { field: printableName(name), problem: NO_ADMIN_KEY_RULE };
    else if (hint && containsMaskedKey(hint, text))
      yield { field: printableName(name), problem: 'contains the key that partial_key_hint masks' };
  }
}

function creatorOf({ created_by }: Record<string, unknown>): Record<string, unknown> {
  return isObject(created_by) ? { 'created_by.id': created_by.id, 'created_by.type': created_by.type } : {};
}
