import { type DeclaredField, declaredOfCell, NO_FIELDS } from '../../service/roster/declared-fields.ts';
import { parseApiKey } from '../../service/roster/parse-api-key.ts';
import type { ImportLine } from '../../service/roster/writes/imports.ts';
import { readCsvRows } from '../../shared/formats/csv-rows.ts';
import { CSV_COLUMNS, exactText } from '../../shared/formats/render-csv.ts';
import { Refused } from '../../shared/record/faults.ts';
import { printableName } from '../../shared/record/fields.ts';
import { type LineOrganization, type ParsedLine, parseLineOf, refusedLine } from './line-organization.ts';

const BATCH_ROWS = 1_000;

export interface CsvOptions {
  /** Each of these declared fields may have a column; an empty cell is `null`. */
  readonly fields?: readonly DeclaredField[];
  readonly exact?: boolean | undefined;
}

/**
 * Reads API key records from CSV (RFC 4180), in batches. The columns may be in any order. Throws `Refused` for an unknown or
 * a missing column, and for a misplaced quote, after which no row could be trusted. Takes out what makes text safe for
 * spreadsheets, unless it is exact.
 */
export async function* readCsv(
  source: AsyncIterable<string>,
  organization: LineOrganization,
  { exact = false, fields = NO_FIELDS }: CsvOptions = {},
): AsyncGenerator<readonly ImportLine[]> {
  let columns: readonly string[] | undefined;
  let batch: ImportLine[] = [];
  for await (const { line, record, source: text } of readCsvRows(source)) {
    if (columns === undefined) columns = parseHeader(record, columnsOf(organization), fields);
    else if (record.length > 1 || record[0] !== '') {
      const parsed = parseRow(columns, exact ? record : record.map(exactText), organization, fields);
      batch.push('key' in parsed ? { line, ...parsed } : { line, ...parsed, source: text });
    }
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (columns === undefined)
    throw new Refused(`line 1: a header with the columns ${columnsOf(organization).join(',')} is required`);
  yield batch;
}

function columnsOf(organization: LineOrganization): readonly string[] {
  return 'id' in organization ? CSV_COLUMNS : [organization.field, ...CSV_COLUMNS];
}

function parseHeader(
  header: readonly string[],
  required: readonly string[],
  fields: readonly DeclaredField[],
): readonly string[] {
  const known = [...required, ...fields.map(({ name }) => name)];
  const problems = [
    ...header.filter(name => !known.includes(name)).map(name => `unknown column ${printableName(name)}`),
    ...required
      .filter(name => !header.includes(name))
      .map(name => `column ${printableName(name)} is missing`),
    ...known
      .filter(name => header.indexOf(name) !== header.lastIndexOf(name))
      .map(name => `duplicate column ${printableName(name)}`),
  ];
  if (problems.length > 0) throw new Refused(`line 1: ${problems.join('; ')}`);
  return header;
}

function parseRow(
  columns: readonly string[],
  row: readonly string[],
  organization: LineOrganization,
  fields: readonly DeclaredField[],
): ParsedLine {
  if (row.length !== columns.length) {
    const problem = `has ${row.length} columns, the header has ${columns.length}`;
    return refusedLine(organization, [{ field: null, problem }]);
  }
  const value = Object.fromEntries(columns.map((column, index) => [column, row[index]]));
  return parseLineOf(organization, value, cells => parseApiKey(recordOf(cells as Cells, fields), fields));
}

type Cells = Readonly<Record<string, string>>;

function recordOf(cells: Cells, fields: readonly DeclaredField[]): unknown {
  const { 'created_by.id': creatorId, 'created_by.type': creatorType, workspace_id, ...others } = cells;
  const declared = fields.flatMap(field => {
    const cell = others[field.name];
    return cell === undefined ? [] : [[field.name, declaredOfCell(field, cell)]];
  });
  return {
    ...others,
    created_by: { id: creatorId, type: creatorType },
    workspace_id: workspace_id === '' ? null : workspace_id,
    ...Object.fromEntries(declared),
  };
}
