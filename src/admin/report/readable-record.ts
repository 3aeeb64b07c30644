import type { CsvColumn } from '../../shared/formats/render-csv.ts';
import {
  isLifecycleField,
  type Lifecycle,
  type LifecycleField,
  lifecycleTime,
} from '../../shared/record/lifecycle.ts';

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

/** What a key may be judged by. */
export type JudgedField = CsvColumn | LifecycleField;

/** Whether `(unknown)` stands for this text, which the record lacks, or it doesn't tell this time. A name may be that text too. */
export function lacks(record: object, field: JudgedField): boolean {
  if (isLifecycleField(field)) return lifecycleTime(record as Lifecycle, field) === undefined;
  const cameAs = received.get(record);
  return cameAs !== undefined && unreadableFields(cameAs).includes(field);
}

const isText = (value: unknown) => typeof value === 'string';

type Received = Fields & { readonly created_by?: Fields | null };

/** What a record has to have to be shown, by its columns. Another service may not keep to docs/api.md#the-record. */
const checks = {
  id: record => isText(record.id),
  name: record => isText(record.name),
  created_at: record => isText(record.created_at),
  'created_by.id': record => isText(record.created_by?.id),
  'created_by.type': record => isText(record.created_by?.type),
  partial_key_hint: record => isText(record.partial_key_hint),
  status: record => isText(record.status), // a newer service has others
  workspace_id: record => record.workspace_id === null || isText(record.workspace_id),
} as const satisfies Readonly<Record<CsvColumn, (record: Received) => boolean>>;

const columns = Object.entries(checks) as [CsvColumn, (record: object) => boolean][];

/** The columns that the record lacks, or has no text for. */
export function unreadableFields(record: object): readonly CsvColumn[] {
  let lacking = NONE;
  for (const [column, isReadable] of columns) if (!isReadable(record)) lacking = [...lacking, column];
  return lacking;
}

/** One for all records, since almost none lacks anything. */
const NONE: readonly CsvColumn[] = [];
