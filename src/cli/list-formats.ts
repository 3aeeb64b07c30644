import type { ApiKeyRecord } from '../client/client.ts';
import { CSV_HEADER, renderCsvRow } from '../formats/render-csv.ts';
import { DEFAULT_WORKSPACE } from '../report/sections.ts';
import { coloured } from './colour.ts';
import { DEFAULT_WIDTH, fittedLine, fittingWidths } from './fitted-table.ts';
import { print, printable } from './print.ts';

export type ListFormat = 'table' | 'json' | 'jsonl' | 'csv';

/** Prints records as they come, so that memory doesn't grow with the roster. */
export interface ListWriter {
  write(records: readonly ApiKeyRecord[]): Promise<void>;
  /** Whether there is more that wasn't asked for. */
  end(hasMore: boolean): Promise<void>;
}

export function listWriter(format: ListFormat): ListWriter {
  if (format === 'json') return jsonWriter();
  if (format === 'jsonl') return linesWriter('', record => `${JSON.stringify(record)}\n`);
  if (format === 'csv') return linesWriter(CSV_HEADER, renderCsvRow);
  return process.stdout.isTTY
    ? tableWriter()
    : linesWriter('', record => `${row(record).map(printable).join('\t')}\n`);
}

/** A line a record, after a header (`''`: none). */
function linesWriter(header: string, line: (record: ApiKeyRecord) => string): ListWriter {
  let begin = header;
  return {
    write: async records => {
      await print(begin + records.map(line).join(''));
      begin = '';
    },
    end: async () => print(begin),
  };
}

/** The envelope of the wire, a record a line, whatever the number of pages that it is made of. */
function jsonWriter(): ListWriter {
  let first: string | null = null;
  let last: string | null = null;
  return {
    write: async records => {
      const lines = records.map(record => JSON.stringify(record)).join(',\n');
      if (lines !== '') await print(`${first === null ? '{"data":[\n' : ',\n'}${lines}`);
      first ??= records.at(0)?.id ?? null;
      last = records.at(-1)?.id ?? last;
    },
    end: async hasMore => {
      const rest = JSON.stringify({ first_id: first, last_id: last, has_more: hasMore });
      await print(`${first === null ? '{"data":[' : '\n'}],${rest.slice(1)}\n`);
    },
  };
}

const HEADING = ['ID', 'NAME', 'STATUS', 'CREATED', 'CREATOR', 'WORKSPACE', 'HINT'];
const STATUS_COLUMN = 2;
const colours = { active: 'green', inactive: 'yellow', archived: 'gray' } as const;

function row({
  id,
  name,
  status,
  created_at,
  created_by,
  workspace_id,
  partial_key_hint,
}: ApiKeyRecord): string[] {
  return [id, name, status, created_at, created_by.id, workspace_id ?? DEFAULT_WORKSPACE, partial_key_hint];
}

/** Its widths are those of the first records: the table begins before all are known. */
function tableWriter(): ListWriter {
  let widths: number[] | undefined;
  const terminalWidth = process.stdout.columns || DEFAULT_WIDTH;
  return {
    write: async records => {
      const rows = records.map(row);
      if (!widths) {
        widths = fittingWidths([HEADING, ...rows], terminalWidth);
        await print(fittedLine(HEADING, widths, cell => coloured('bold', cell)));
      }
      const lines = rows.map((cells, index) =>
        fittedLine(cells, widths ?? [], (cell, column) =>
          column === STATUS_COLUMN ? coloured(colours[records[index]?.status ?? 'archived'], cell) : cell,
        ),
      );
      await print(lines.join(''));
    },
    end: async () => {},
  };
}
