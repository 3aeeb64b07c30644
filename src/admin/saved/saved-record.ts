import type { ListedKey } from '../../client/listed-key.ts';
import type { Fault, Faulty } from '../../shared/record/faults.ts';
import { isObject, printableName } from '../../shared/record/fields.ts';
import {
  containsMaskedKey,
  PARTIAL_KEY_HINT_RULE,
  parsePartialKeyHint,
} from '../../shared/record/partial-key-hint.ts';
import { containsAdminKey, NO_ADMIN_KEY_RULE } from '../../shared/record/redact-admin-keys.ts';
import { hintOf, LISTED_ID_RULE, parseListedId } from '../find/told.ts';
import { unlistableFields } from '../report/readable-record.ts';

/**
 * Reads a record that was saved, of any service; unknown fields are kept. Key material in it is a
 * fault, as for an import: it would be shown.
 */
export function parseSavedRecord(value: unknown): { readonly record: ListedKey } | Faulty {
  if (!isObject(value)) return { faults: [{ field: null, problem: 'must be an object' }] };
  const { id, type = 'api_key' } = value;
  if (type !== 'api_key')
    return { faults: [{ field: null, problem: 'is not an API key: type must be api_key or absent' }] };
  const missing = unlistableFields(value).filter(field => field !== 'id');
  const faults: Fault[] = [];
  if (missing.length > 0)
    faults.push({ field: null, problem: `lacks ${missing.join(', ')}: save the roster with all columns` });
  if (parseListedId(id) === undefined) faults.push({ field: 'id', problem: LISTED_ID_RULE });
  faults.push(...keyMaterialIn(value));
  return faults.length > 0 ? { faults } : { record: value as unknown as ListedKey };
}

/** The last characters of a key, and no more. */
const MAX_UNMASKED = 8;

function* keyMaterialIn(record: Record<string, unknown>): Generator<Fault> {
  const hint = parsePartialKeyHint(record.partial_key_hint);
  const written = String(record.partial_key_hint ?? '');
  // Services have other forms of hints. One without an ellipsis may be a key.
  if (written.length > MAX_UNMASKED && hintOf({ partial_key_hint: written }) === '')
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
