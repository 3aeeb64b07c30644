import type { ListedKey } from '../../../client/listed-key.ts';
import { EXIT_CODES } from '../../../shared/command/exit-codes.ts';
import { linesOfFile } from '../../../shared/command/input/input-file.ts';
import { keepHeapSmall } from '../../../shared/command/small-heap.ts';
import { printError } from '../../../shared/command/terminal/print.ts';
import { separatorOf } from '../../../shared/formats/csv-text.ts';
import { parseJsonLine } from '../../../shared/formats/json-lines.ts';
import { decodeUtf8, peek } from '../../../shared/formats/text.ts';
import { problemTexts, Refused } from '../../../shared/record/faults.ts';
import { csvRecord, isCsv, requireColumns } from '../../saved/csv-record.ts';
import { parseSavedRecord } from '../../saved/saved-record.ts';
import { jsonRecords } from './json-records.ts';

/**
 * A roster that was saved, with its records in the order of the file; `-` is standard input. It is JSON Lines, CSV, JSON as `list` and
 * the console write it, or pages as the API answers them, which its first characters tell. Reading it throws `Refused` for the first
 * line that isn't right.
 *
 * @param exact of CSV: it was written with `--exact`.
 */
export function savedRoster(file: string, exact = false) {
  const name = file === '-' ? 'standard input' : file;
  return { name, records: linesOfFile(file, plain => recordsOf(plain, name, exact)) };
}

async function* recordsOf(
  plain: AsyncIterable<Buffer>,
  name: string,
  exact: boolean,
): AsyncGenerator<readonly ListedKey[]> {
  keepHeapSmall();
  try {
    const { start: first, whole } = await peek(plain, MIN_PEEKED);
    const start = first.subarray(0, MIN_PEEKED).toString();
    if (start.trim() === '') throw new Refused(EMPTY);
    if (JSON_START.test(start)) {
      const hasMore = yield* jsonRecords(whole, recordOfJson);
      if (!hasMore) return;
      process.exitCode ||= EXIT_CODES.unsure; // what isn't in it may be anything
      printError(`warning: ${name} has only some of the keys: has_more is true. Use list --all.`);
      return;
    }
    const separator = separatorOf(start);
    if (!isCsv(start, separator)) throw new Refused(NO_ROSTER);
    yield* csvRecords(whole, separator, exact);
  } catch (error) {
    throw error instanceof Refused ? new Refused(`${name}: ${error.message}`, { cause: error }) : error;
  }
}

const JSON_START = /^\uFEFF?\s*[[{]/;

/** It would pass every policy, and is what a command that failed leaves behind. */
const EMPTY =
  'is empty, as a file that was cut off is: a roster without keys has to be saved with --format json or csv';

const NO_ROSTER =
  'is no roster that was saved as JSON Lines, as JSON, or as CSV with all columns: save one with --format jsonl';

const recordOfJson = (json: Buffer, line: number) =>
  recordOf(line, parseJsonLine(json, false, parseSavedRecord) as Parsed);

type Parsed = ReturnType<typeof parseSavedRecord>;

function recordOf(line: number, parsed: Parsed): ListedKey {
  if ('record' in parsed) return parsed.record;
  throw new Refused(`line ${line}: ${problemTexts(parsed.faults).join('; ')}`);
}

const BATCH_ROWS = 1_000;

async function* csvRecords(
  plain: AsyncIterable<Buffer>,
  separator: string,
  exact: boolean,
): AsyncGenerator<readonly ListedKey[]> {
  const { readCsvRows } = await import('../../../shared/formats/csv-rows.ts'); // and its parser
  let batch: ListedKey[] = [];
  let columns: readonly string[] | undefined;
  for await (const { line, record: cells } of readCsvRows(decodeUtf8(plain), separator)) {
    if (columns === undefined) columns = requireColumns(cells);
    else if (cells.join('') !== '' || cells.length > 1)
      batch.push(recordOf(line, csvRecord(columns, cells, exact)));
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Enough to see what a file is: the heading of CSV with each declared field has less. */
const MIN_PEEKED = 4 * 1024;
