import type { CsvColumn } from '../../shared/formats/render-csv.ts';

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

const isText = (value: unknown) => typeof value === 'string';

/** What a record has to have to be shown, by its columns. Another service may not keep to docs/api.md#the-record. */
const checks = {
  id: isText,
  name: isText,
  created_at: isText,
  'created_by.id': isText,
  'created_by.type': isText,
  partial_key_hint: isText,
  status: isText, // a newer service has others
  workspace_id: value => value === null || isText(value),
} as const satisfies Readonly<Record<CsvColumn, (value: unknown) => boolean>>;

/** A column that a record has to have, and the steps to it. */
const columns = Object.entries(checks).map(([name, isReadable]) => {
  const [field = '', part] = name.split('.');
  return { name: name as CsvColumn, field, part, isReadable };
});

/** The columns that the record lacks, or has no text for. */
export function unreadableFields(record: object): readonly CsvColumn[] {
  const fields = record as Readonly<Record<string, unknown>>;
  const lacking = columns.filter(({ field, part, isReadable }) => {
    const value = fields[field];
    return !isReadable(part === undefined ? value : (value as Fields | null | undefined)?.[part]);
  });
  return lacking.map(({ name }) => name);
}
