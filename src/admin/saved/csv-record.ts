import { exactText } from '../../shared/formats/render-csv.ts';
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
      columns = cells;
      return null;
    }
    if (cells.length === 1 && cells[0] === '') return null;
    if (cells.length === columns.length) return parseSavedRecord(csvRecord(columns, cells, exact));
    return { faults: [{ field: null, problem: 'must have as many columns as the header' }] };
  };
}

/**
 * A row as a record: a column that isn't of the contract is a field of its name. An empty workspace is the default one. Its text may be
 * safe for spreadsheets, or exact.
 */
function csvRecord(columns: readonly string[], cells: readonly string[], exact: boolean): object {
  const texts = columns.map((column, index) => {
    const cell = cells[index] ?? '';
    return [column, exact ? cell : exactText(cell)] as const;
  });
  const { 'created_by.id': id, 'created_by.type': type, workspace_id, ...others } = Object.fromEntries(texts);
  return {
    ...others,
    created_by: { id, type },
    workspace_id: workspace_id === '' ? null : workspace_id,
  };
}
