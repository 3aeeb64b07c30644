import type { ApiKeyRecord, CreatorRecord } from '../roster/api-key-record.ts';
import { declaredText } from './declared-columns.ts';
import { spreadsheetText } from './spreadsheet-text.ts';

/** The fields of a record without `type`, which is always the same, and the fields of its creator. */
export type CsvColumn =
  | Exclude<keyof ApiKeyRecord, 'type' | 'created_by'>
  | `created_by.${keyof CreatorRecord}`;

/** A record that may come from a newer service, with values that this version doesn't know. */
interface CsvRecord extends Omit<ApiKeyRecord, 'type' | 'status' | 'created_by'> {
  readonly status: string;
  readonly created_by: Readonly<Record<keyof CreatorRecord, string>>;
}

/** In the order of the columns. */
const cells: Readonly<Record<CsvColumn, (record: CsvRecord) => string>> = {
  id: record => record.id,
  name: record => record.name,
  created_at: record => record.created_at,
  'created_by.id': record => record.created_by.id,
  'created_by.type': record => record.created_by.type,
  partial_key_hint: record => record.partial_key_hint,
  status: record => record.status,
  workspace_id: record => record.workspace_id ?? '', // empty: the default workspace
};

export const CSV_COLUMNS = Object.keys(cells) as CsvColumn[];

export const CSV_HEADER = csvHeader(CSV_COLUMNS);

/** @param columns those of the contract, and declared fields. */
export function csvHeader(columns: readonly string[]): string {
  return `${columns.join(',')}\n`;
}

interface RowOptions {
  readonly exact?: boolean | undefined;
  readonly columns?: readonly string[] | undefined;
}

/** The record as a row of CSV (RFC 4180), with its newline. Its text is safe for spreadsheets, or else exact. */
export function renderCsvRow(
  record: CsvRecord,
  { exact = false, columns = CSV_COLUMNS }: RowOptions = {},
): string {
  return `${columns.map(column => quoted(cellOf(record, column, exact))).join(',')}\n`;
}

function cellOf(record: CsvRecord, column: string, exact: boolean): string {
  const isOfContract = Object.hasOwn(cells, column);
  const text = isOfContract ? cells[column as CsvColumn](record) : declaredText(record, column);
  // A number is no formula.
  return exact || NUMBER.test(text) ? text : spreadsheetText(text);
}

const NUMBER = /^-?\d+$/;

/** RFC 4180, section 2, rules 5 to 7. */
function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
