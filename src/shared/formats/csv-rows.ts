import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { Refused } from '../record/faults.ts';

/** The longest row, with a name of 1,000 quotes, has under 4 KiB. */
const MAX_ROW_BYTES = 64 * 1024;
export interface CsvRow {
  /** The line on which it begins. */
  readonly line: number;
  readonly record: readonly string[];
  readonly source: string;
}

/** The rows of any CSV (RFC 4180), the header first. */
export async function* readCsvRows(source: AsyncIterable<string>, separator = ','): AsyncGenerator<CsvRow> {
  let line = 1; // not csv-parse's count: it takes a CRLF within quotes for two lines
  const parser = parse({
    bom: true,
    delimiter: separator,
    raw: true,
    on_record: each => {
      const { record, raw } = each as unknown as { record: readonly string[]; raw: string };
      const row: CsvRow = { line, record, source: raw.replace(/\r?\n?$/, '') };
      line += record.join('').split('\n').length;
      return row as never; // the types of csv-parse know rows of text only
    },
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true, // parseRow checks it, and refuses that row only
    max_record_size: MAX_ROW_BYTES,
  });
  const input = Readable.from(source);
  input.on('error', error => parser.destroy(error));
  try {
    yield* input.pipe(parser) as AsyncIterable<CsvRow>;
  } catch (error) {
    throw error instanceof CsvError
      ? new Refused(`line ${line}: ${csvProblem(error)}`, { cause: error })
      : error;
  } finally {
    input.destroy();
  }
}

/** The messages of csv-parse can't be used: they repeat values of the file. */
function csvProblem(error: CsvError): string {
  const column = Number(error.column) + 1;
  return (
    {
      INVALID_OPENING_QUOTE: `a quote inside column ${column}, which isn't quoted as a whole`,
      CSV_INVALID_CLOSING_QUOTE: `text after the closing quote of column ${column}`,
      CSV_QUOTE_NOT_CLOSED: `the quote that opens column ${column} is never closed`,
      CSV_MAX_RECORD_SIZE: `a row of more than ${MAX_ROW_BYTES} bytes: is a quote missing?`,
    }[error.code as string] ?? 'not CSV'
  );
}
