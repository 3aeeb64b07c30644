import type { ApiKeyRecord } from '../roster/api-key-record.ts';

/**
 * CSV (RFC 4180) of API key records: a header, then a record a row. The columns are the fields of the wire record,
 * those of the creator with its name before them; an empty `workspace_id` is the default workspace.
 */
export const CSV_COLUMNS = [
  'id',
  'name',
  'created_at',
  'created_by.id',
  'created_by.type',
  'partial_key_hint',
  'status',
  'workspace_id',
] as const;
export type CsvColumn = (typeof CSV_COLUMNS)[number];

export const CSV_HEADER = `${CSV_COLUMNS.join(',')}\n`;

export function renderCsvRow(record: ApiKeyRecord): string {
  const values: Record<CsvColumn, string> = {
    ...record,
    'created_by.id': record.created_by.id,
    'created_by.type': record.created_by.type,
    workspace_id: record.workspace_id ?? '',
  };
  return `${CSV_COLUMNS.map(column => quoted(values[column])).join(',')}\n`;
}

/** RFC 4180, section 2, rules 5 to 7. */
function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
