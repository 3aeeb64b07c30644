import type { Fault, Faulty } from '../../../shared/record/faults.ts';
import { Fields, isObject } from '../../../shared/record/fields.ts';
import { containsAdminKey, NO_ADMIN_KEY_RULE } from '../../../shared/record/redact-admin-keys.ts';

/** Reads an object of these fields and no others. A text of it that contains an admin key is a fault. */
export function parseObject<Parsed extends object>(
  object: unknown,
  known: readonly string[],
  read: (fields: Fields, faults: Fault[]) => Parsed,
): Parsed | Faulty {
  if (!isObject(object)) return { faults: [{ field: null, problem: 'must be an object' }] };
  const faults: Fault[] = [];
  const fields = new Fields(object, '', faults);
  fields.refuseUnknown(known);
  const parsed = read(fields, faults);
  for (const field of known) {
    const text = object[field];
    if (typeof text === 'string' && containsAdminKey(text))
      faults.push({ field, problem: NO_ADMIN_KEY_RULE });
  }
  return faults.length > 0 ? { faults } : parsed;
}
