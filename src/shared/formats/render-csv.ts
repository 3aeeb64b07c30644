import {
  type ApiKeyRecord,
  type CreatorRecord,
  type FlatField,
  RECORD_FIELDS,
} from '../record/api-key-record.ts';

export type CsvColumn = FlatField<'.'>;

/** A record of any service: with values that this version doesn't know, and without those that aren't told. */
interface CsvRecord extends Pick<ApiKeyRecord, 'id' | 'name'> {
  readonly created_at?: string | null;
  readonly created_by?: { readonly [Name in keyof CreatorRecord]?: string | null } | null;
  readonly partial_key_hint?: string | null;
  readonly status?: string | null;
  readonly workspace_id?: unknown;
}

/** In the order of the columns. */
const cells: Readonly<Record<CsvColumn, (record: CsvRecord) => string | null | undefined>> = {
  id: record => record.id,
  name: record => record.name,
  created_at: record => record.created_at,
  'created_by.id': record => record.created_by?.id,
  'created_by.type': record => record.created_by?.type,
  partial_key_hint: record => record.partial_key_hint,
  status: record => record.status,
  workspace_id: record => (record.workspace_id === undefined ? '?' : String(record.workspace_id ?? '')), // empty: the default workspace
};

export const CSV_COLUMNS = Object.keys(cells) as CsvColumn[];

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
  return `${columns.map(column => cellOf(record, column, exact)).join(',')}\n`;
}

function cellOf(record: CsvRecord, column: string, exact: boolean): string {
  const isOfContract = Object.hasOwn(cells, column);
  const text = isOfContract ? (cells[column as CsvColumn](record) ?? '') : declaredText(record, column);
  return csvCell(text, exact);
}

export function csvCell(text: string, exact: boolean): string {
  if (PLAIN.test(text)) return text;
  // A number is no formula.
  return quoted(exact || NUMBER.test(text) ? text : spreadsheetText(text));
}

/** Of characters that neither a spreadsheet nor CSV reads another way: most cells. */
const PLAIN = /^\w[\w .:-]*$/;
const NUMBER = /^-?\d+$/;

/** RFC 4180, section 2, rules 5 to 7. */
function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** A name of another form isn't a column: a service may send anything. */
const COLUMN_NAME = /^[a-z][a-z0-9_]{0,62}$/;

/** The fields of a record that aren't of the contract: those that its operator has declared, or those of a newer service. */
export function declaredColumns(record: object = {}): string[] {
  return Object.keys(record).filter(name => COLUMN_NAME.test(name) && !RECORD_FIELDS.includes(name));
}

/** The value of such a field as text. Empty: there is none. */
export function declaredText(record: object, name: string): string {
  const value: unknown = Object.hasOwn(record, name) ? (record as Record<string, unknown>)[name] : null;
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/**
 * A spreadsheet runs a cell as a formula if it begins with one of `= + - @`, a tab or a line break, perhaps behind quotes
 * or spaces. Which cells there are depends on the separator that it is set to: with `;` or a tab, text behind one in a
 * name is a cell of its own. So an apostrophe, which makes a cell text, is put in at each such place. A text that has
 * one there already gets another one, so that `exactText` can always take out what was put in.
 */
const unsafe = /^(?=["' ]*[=+\-@\t\r\n])|(?<=[;\t\r\n])(?=["' ]*[=+\-@])/g;
const madeSafe = /^'(?=["' ]*[=+\-@\t\r\n])|(?<=[;\t\r\n])'(?=["' ]*[=+\-@])/g;

export function spreadsheetText(exact: string): string {
  return exact.replace(unsafe, "'");
}

/** What `spreadsheetText` was given. */
export function exactText(safe: string): string {
  return safe.replace(madeSafe, '');
}
