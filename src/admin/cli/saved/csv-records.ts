import { readCsvRows } from '../../../shared/formats/csv-rows.ts';
import { decodeUtf8 } from '../../../shared/formats/text.ts';
import type { Faulty, RefusedLine } from '../../../shared/record/faults.ts';
import { checkedHeader, csvRecord, WRONG_LENGTH } from '../../saved/csv-record.ts';

const BATCH_ROWS = 1_000;

/** The rows of CSV as records. */
export async function* csvRecords<Parsed extends object>(
  source: AsyncIterable<Buffer>,
  exact: boolean,
  parse: (record: unknown) => Parsed | Faulty,
): AsyncGenerator<readonly ({ readonly line: number } & (Parsed | Faulty))[]> {
  let columns: readonly string[] | undefined;
  let batch: (RefusedLine | ({ line: number } & Parsed))[] = [];
  for await (const { line, record: cells } of readCsvRows(decodeUtf8(source))) {
    if (columns === undefined) columns = checkedHeader(cells);
    else if (cells.length > 1 || cells[0] !== '') {
      const parsed = cells.length === columns.length ? parse(csvRecord(columns, cells, exact)) : WRONG_LENGTH;
      batch.push({ line, ...parsed });
    }
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
