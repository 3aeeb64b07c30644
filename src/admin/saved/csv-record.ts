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

/** Reads rows, the header first, as saved records; `null`: it is the header, or an empty line. */
export function csvReader(exact = false) {
  let columns: readonly string[] | undefined;
  return (cells: readonly string[]): ReturnType<typeof parseSavedRecord> | null => {
    if (columns === undefined) {
      const duplicate = cells.find((name, index) => cells.indexOf(name) !== index);
      if (duplicate !== undefined) throw new Refused(`line 1: duplicate column ${printableName(duplicate)}`);
      const missing = CSV_COLUMNS.filter(name => !cells.includes(name));
      if (missing.length > 0)
        throw new Refused(`line 1: lacks ${missing.join(', ')}: save the roster with all columns`);
      columns = cells;
      return null;
    }
    if (cells.length === 1 && cells[0] === '') return null;
    if (cells.length === columns.length) return parseSavedRecord(csvRecord(columns, cells, exact));
    return { faults: [{ field: null, problem: 'must have as many columns as the header' }] };
  };
}

/**
 * A row as a record: a column that isn't of the contract is a field of its name. An empty workspace is the default one, `?` one that isn't told. Its text may be
 * safe for spreadsheets, or exact.
 */
function csvRecord(columns: readonly string[], cells: readonly string[], exact: boolean): object {
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
  return workspace_id === UNTOLD ? record : { ...record, workspace_id: workspace_id || null };
}
