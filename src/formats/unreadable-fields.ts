import type { CsvColumn } from './render-csv.ts';

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

const NONE: readonly CsvColumn[] = [];

/** The columns that the record lacks, or has no text for. */
export function unreadableFields(record: object): readonly CsvColumn[] {
  const fields = record as Readonly<Record<string, unknown>>;
  const valueIn = (field: string, part: string | undefined): unknown => {
    const value = fields[field];
    return part === undefined
      ? value
      : (value as Readonly<Record<string, unknown>> | null | undefined)?.[part];
  };
  if (columns.every(({ field, part, isReadable }) => isReadable(valueIn(field, part)))) return NONE;
  return columns
    .filter(({ field, part, isReadable }) => !isReadable(valueIn(field, part)))
    .map(({ name }) => name);
}
