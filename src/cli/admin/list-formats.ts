import type { ApiKeyRecord } from '../../client/client.ts';
import { CSV_HEADER, renderCsvRow } from '../../formats/render-csv.ts';
import { coloured } from '../terminal/colour.ts';
import { DEFAULT_WIDTH, fittedLine, fittingWidths } from '../terminal/fitted-table.ts';
import { csvRowToPrint, printData, printFitted } from '../terminal/print.ts';
import { shown } from '../terminal/shown.ts';
import { HEADINGS, rowOf, styledCell } from './list-columns.ts';

/** Prints records page by page, so that memory doesn't grow with the roster. */
export interface ListWriter {
  write(records: readonly ApiKeyRecord[]): Promise<void>;
  /** @param hasMore whether more keys follow those written. */
  end(hasMore: boolean): Promise<void>;
}

const writers = {
  table: () =>
    process.stdout.isTTY
      ? tableWriter()
      : linesWriter('', record => `${rowOf(record).map(shown).join('\t')}\n`),
  json: () => jsonWriter(),
  jsonl: () => linesWriter('', record => `${JSON.stringify(record)}\n`),
  csv: ({ exact }) => linesWriter(CSV_HEADER, record => csvRowToPrint(renderCsvRow(record, { exact }))),
} satisfies Record<string, (options: { exact: boolean }) => ListWriter>;

export type ListFormat = keyof typeof writers;
export const LIST_FORMATS = Object.keys(writers);

export function listWriter(format: ListFormat, exact = false): ListWriter {
  return writers[format]({ exact });
}

/** One line per record, after a header; `''` is no header. */
function linesWriter(header: string, line: (record: ApiKeyRecord) => string): ListWriter {
  let begin = header;
  return {
    write: async records => {
      await printData(begin + records.map(line).join(''));
      begin = '';
    },
    end: async () => printData(begin),
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
    end: async hasMore => {
      const rest = JSON.stringify({ first_id: first, last_id: last, has_more: hasMore });
      await printData(`${first === null ? '{"data":[' : '\n'}],${rest.slice(1)}\n`);
    },
  };
}

/** The widths are those of the first records: the table begins before all are known. */
function tableWriter(): ListWriter {
  let widths: number[] | undefined;
  const terminalWidth = process.stdout.columns || DEFAULT_WIDTH;
  return {
    write: async records => {
      const rows = records.map(key => ({ key, cells: rowOf(key) }));
      if (!widths) {
        widths = fittingWidths([HEADINGS, ...rows.map(({ cells }) => cells)], terminalWidth);
        await printFitted(fittedLine(HEADINGS, widths, heading => coloured('bold', heading)));
      }
      const fitting = widths;
      const lines = rows.map(({ key, cells }) =>
        fittedLine(cells, fitting, (text, column) => styledCell(key, text, column)),
      );
      await printFitted(lines.join(''));
    },
    end: async () => {},
  };
}
