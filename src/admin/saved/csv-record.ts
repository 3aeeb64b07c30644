import { UNTOLD } from '../../client/listed-key.ts';
import { CSV_COLUMNS, exactText } from '../../shared/formats/render-csv.ts';
import { Refused } from '../../shared/record/faults.ts';
import { printableName } from '../../shared/record/fields.ts';
import { parseSavedRecord } from './saved-record.ts';

const REQUIRED = ['id', 'created_at'];

/** The parser would rather tell of a quote on some later line of what isn't CSV. */
export function isCsv(start: string, separator: string): boolean {
  const [heading = ''] = start.replace(/^\uFEFF/, '').split(/\r?\n/, 1);
  const names = heading.split(separator).map(name => name.replace(/^"(.*)"$/, '$1'));
  return REQUIRED.every(name => names.includes(name));
}

/** Throws `Refused` for a header that lacks a column, or has one twice. */
export function requireColumns(header: readonly string[]): readonly string[] {
  const duplicate = header.find((name, index) => header.indexOf(name) !== index);
  if (duplicate !== undefined) throw new Refused(`line 1: duplicate column ${printableName(duplicate)}`);
  const missing = CSV_COLUMNS.filter(name => !header.includes(name));
  if (missing.length === 0) return header;
  throw new Refused(`line 1: lacks ${missing.join(', ')}: save the roster with all columns`);
}

/**
 * A row as a record: a column that isn't of the contract is a field of its name. An empty workspace is the default one, `?` one that isn't told. Its text may be
 * safe for spreadsheets, or exact.
 */
export function csvRecord(columns: readonly string[], cells: readonly string[], exact: boolean) {
  if (cells.length !== columns.length)
    return { faults: [{ field: null, problem: 'must have as many columns as the header' }] };
  const texts = columns.map((column, index) => {
    const cell = cells[index] ?? '';
    return [column, exact ? cell : exactText(cell)] as const;
  });
  const { 'created_by.id': id, 'created_by.type': type, workspace_id, ...others } = Object.fromEntries(texts);
  const { status, created_at, partial_key_hint } = others;
  const record = {
    ...others,
    status: status || null,
    created_at: created_at || null,
    created_by: { id: id || null, type: type || null },
    partial_key_hint: partial_key_hint || null,
  };
  return parseSavedRecord(
    workspace_id === UNTOLD ? record : { ...record, workspace_id: workspace_id || null },
  );
}
