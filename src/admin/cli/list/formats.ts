import type { ListedKey } from '../../../client/listed-key.ts';
import { batchedTable } from '../../../shared/command/terminal/fitted-columns.ts';
import { csvRowToPrint, printData, printFitted } from '../../../shared/command/terminal/print.ts';
import { CSV_COLUMNS, csvHeader, declaredColumns, renderCsvRow } from '../../../shared/formats/render-csv.ts';
import { csvRecord } from '../../report/readable-record.ts';
import { LEFT_OUT, type TableOptions, tableColumns } from './columns.ts';

/** Prints records page by page, so that memory doesn't grow with the roster. */
export interface ListWriter {
  /** @param sample has all that a record has. */
  write(records: readonly ListedKey[], sample?: ListedKey): Promise<void>;
  /** @param hasMore whether more keys follow those written. @param more what a JSON document has besides. */
  end(hasMore: boolean, more?: object): Promise<void>;
}

interface ListOptions extends TableOptions {
  readonly exact: boolean;
}

export const listFormats = {
  table: tableWriter,
  json: jsonWriter,
  jsonl: () => linesWriter(() => ({ header: '', line: key => `${JSON.stringify(key)}\n` })),
  csv: csvWriter,
} as const satisfies Readonly<Record<string, (options: ListOptions) => ListWriter>>;

export type ListFormat = keyof typeof listFormats;
export const LIST_FORMATS = Object.keys(listFormats) as ListFormat[];

/** The columns are known from the sample: it has all declared fields. */
function csvWriter({ exact, columns }: ListOptions): ListWriter {
  return linesWriter(sample => {
    const all = columns ?? [...CSV_COLUMNS, ...declaredColumns(sample)];
    const line = (record: ListedKey) =>
      csvRowToPrint(renderCsvRow(csvRecord(record), { exact, columns: all }));
    return { header: csvHeader(all), line };
  });
}

/** One line per record, after a header; `''` is no header. Both are made when the first records are known. */
function linesWriter(
  format: (sample: ListedKey | undefined) => { header: string; line: (record: ListedKey) => string },
): ListWriter {
  let begun: ReturnType<typeof format> | undefined;
  return {
    write: async (records, sample) => {
      const begin = begun === undefined;
      begun ??= format(sample);
      await printData((begin ? begun.header : '') + records.map(begun.line).join(''));
    },
    end: async () => {
      if (begun === undefined) await printData(format(undefined).header);
    },
  };
}

/** One page as the API answers it, one line per record, however many pages were read. */
function jsonWriter(): ListWriter {
  let first: string | null = null;
  let last: string | null = null;
  return {
    write: async records => {
      const lines = records.map(record => JSON.stringify(record)).join(',\n');
      if (lines !== '') await printData(`${first === null ? '{"data":[\n' : ',\n'}${lines}`);
      first ??= records.at(0)?.id ?? null;
      last = records.at(-1)?.id ?? last;
    },
    end: async (hasMore, more) => {
      const rest = JSON.stringify({ first_id: first, last_id: last, has_more: hasMore, ...more });
      await printData(`${first === null ? '{"data":[' : '\n'}],${rest.slice(1)}\n`);
    },
  };
}

function tableWriter(options: ListOptions): ListWriter {
  let text: ReturnType<typeof batchedTable<ListedKey>> | undefined;
  return {
    write: async (records, sample) => {
      text ??= batchedTable(
        tableColumns(options, sample),
        [...LEFT_OUT, ...(options.more ?? [])],
        ', or choose by --columns',
      );
      await printFitted(text(records));
    },
    end: async () => {},
  };
}
