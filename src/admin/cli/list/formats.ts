import type { ListedKey } from '../../../client/listed-key.ts';
import { batchedTable } from '../../../shared/command/terminal/fitted-columns.ts';
import { csvRowToPrint, printData, printFitted } from '../../../shared/command/terminal/print.ts';
import { CSV_COLUMNS, csvHeader, declaredColumns, renderCsvRow } from '../../../shared/formats/render-csv.ts';
import { csvRecord } from '../../report/readable-record.ts';
import { LEFT_OUT, type TableOptions, tableColumns } from './columns.ts';

interface ListOptions extends TableOptions {
  readonly exact: boolean;
}

/** Records as text, page by page, so that memory doesn't grow with the roster. */
export interface ListText {
  /** Before all records, also where there are none. */
  readonly header: string;
  of(records: readonly ListedKey[]): string;
  /** @param hasMore whether more keys follow those written. @param more what a JSON document has besides. */
  end?(hasMore: boolean, more?: object): string;
}

/** @param sample has all that a record has; `undefined`: there are no records. */
type ListFormatter = (options: ListOptions, sample: ListedKey | undefined) => ListText;

export const listFormats = {
  table: tableList,
  json: jsonList,
  jsonl: () => ({
    header: '',
    of: records => records.map(record => `${JSON.stringify(record)}\n`).join(''),
  }),
  csv: csvList,
} as const satisfies Readonly<Record<string, ListFormatter>>;

export type ListFormat = keyof typeof listFormats;
export const LIST_FORMATS = Object.keys(listFormats) as ListFormat[];

export const printList = (format: ListFormat, text: string) =>
  format === 'table' ? printFitted(text) : printData(text);

/** The columns are known from the sample: it has all declared fields. */
function csvList({ exact, columns }: ListOptions, sample: ListedKey | undefined): ListText {
  const all = columns ?? [...CSV_COLUMNS, ...declaredColumns(sample)];
  const row = (record: ListedKey) => csvRowToPrint(renderCsvRow(csvRecord(record), { exact, columns: all }));
  return { header: csvHeader(all), of: records => records.map(row).join('') };
}

/** One page as the API answers it, one line per record, however many pages were read. */
function jsonList(): ListText {
  let [first_id, last_id]: (string | null)[] = [null, null];
  return {
    header: '{"data":[',
    of: records => {
      const lines = records.map(record => JSON.stringify(record)).join(',\n');
      const before = first_id === null ? '\n' : ',\n';
      first_id ??= records.at(0)?.id ?? null;
      last_id = records.at(-1)?.id ?? last_id;
      return lines && before + lines;
    },
    end: (has_more, more) => {
      const rest = JSON.stringify({ first_id, last_id, has_more, ...more });
      return `${first_id === null ? '' : '\n'}],${rest.slice(1)}\n`;
    },
  };
}

function tableList(options: ListOptions, sample: ListedKey | undefined): ListText {
  const leaving = [...LEFT_OUT, ...(options.more ?? [])];
  return { header: '', of: batchedTable(tableColumns(options, sample), leaving, ', or choose by --columns') };
}
