import type { CsvColumn } from './render-csv.ts';
import { unreadableFields } from './unreadable-fields.ts';

/** Stands for a text that a record lacks. It can't be mistaken for an ID: those have no parentheses. */
export const UNKNOWN = '(unknown)';

/** Records as they came, by those that stand for them. */
const received = new WeakMap<object, object>();

/** The record with `(unknown)` for each text that isn't there; where it lacks none, itself. */
export function readableRecord<Record extends object>(
  record: Record,
  unreadable = unreadableFields(record),
): Record {
  if (unreadable.length === 0) return record;
  const { created_by } = record as { created_by?: { id?: unknown; type?: unknown } | null };
  const creator: Fields = { id: created_by?.id, type: created_by?.type };
  const readable: Fields = { ...record, created_by: creator };
  for (const field of unreadable) {
    const [name = '', part] = field.split('.');
    if (part === undefined) readable[name] = UNKNOWN;
    else creator[part] = UNKNOWN;
  }
  received.set(readable, record);
  return readable as Record;
}

type Fields = { [name: string]: unknown };

/** The record as it came, for JSON. */
export function asItCame<Record extends object>(record: Record): Record {
  return (received.get(record) as Record | undefined) ?? record;
}

/** Whether `(unknown)` stands for this text, which the record lacks. A name may be that text too. */
export function lacks(record: object, field: CsvColumn): boolean {
  const cameAs = received.get(record);
  return cameAs !== undefined && unreadableFields(cameAs).includes(field);
}
