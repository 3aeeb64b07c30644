import { isDeepStrictEqual } from 'node:util';
import type { ApiKey } from '../roster/api-key.ts';
import { RECORD_FIELDS } from '../roster/api-key-record.ts';
import type { PageItem } from '../roster/page.ts';
import { recordOf } from './store-under-test.ts';

/** What is wrong with the records of these keys; `null` when each is as it was stored. */
export function recordProblem(keys: readonly ApiKey[], items: readonly PageItem[]): string | null {
  for (const [index, key] of keys.entries()) {
    const record = parsed(String(items[index]?.record));
    if (record === undefined) return `the record of ${key.id} isn't a JSON object`;
    const expected = new Map(Object.entries(recordOf(key)));
    for (const field of new Set([...RECORD_FIELDS, ...Object.keys(record)]))
      if (!isDeepStrictEqual(record[field], expected.get(field))) {
        const shown = (value: unknown) => JSON.stringify(value) ?? 'absent';
        return `the record of ${key.id} must have ${field} ${shown(expected.get(field))}, and it is ${shown(record[field])}`;
      }
  }
  return null;
}

function parsed(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
