import type { DatabaseSync } from 'node:sqlite';
import type { ApiKeyRecord } from '../roster/api-key-record.ts';
import { type DeclaredField, type DeclaredValue, withDeclared } from '../roster/declared-fields.ts';
import type { ApiKeyId } from '../roster/identifier.ts';

/**
 * The table stores each record without this head, which only repeats the ID column. That saves 60 bytes per key.
 */
function head(id: string): string {
  return `{"id":"${id}","type":"api_key","name":`;
}

export function recordTail(id: string, record: string): string {
  return record.slice(head(id).length);
}

export function wholeRecord(id: string, tail: string): string {
  return head(id) + tail;
}

/** The same with its declared fields, whose values are stored as a JSON object by the field's number, without those that are `null`. */
export function declaredRecord(
  id: string,
  tail: string,
  fields: readonly DeclaredField[],
  stored: string | null,
): string {
  const values: Readonly<Record<number, DeclaredValue>> = stored === null ? {} : JSON.parse(stored);
  return withDeclared(wholeRecord(id, tail), fields, ({ number }) => values[number] ?? null);
}

/** The records that an organization has of these. */
export function storedRecords(
  database: DatabaseSync,
  organization: number,
  ids: Iterable<ApiKeyId>,
): Map<ApiKeyId, ApiKeyRecord> {
  const find = database.prepare('SELECT record FROM api_keys WHERE organization = ? AND id = ?');
  const records = new Map<ApiKeyId, ApiKeyRecord>();
  for (const id of ids) {
    const tail = find.get(organization, id)?.record as string | undefined;
    if (tail !== undefined) records.set(id, JSON.parse(wholeRecord(id, tail)));
  }
  return records;
}
