import type { ListedKey } from '../../../client/listed-key.ts';
import { linesOfFile } from '../../../shared/command/input/input-file.ts';
import { printError } from '../../../shared/command/terminal/print.ts';
import { parseJsonLine, readJsonLinesBy, splitLines } from '../../../shared/formats/json-lines.ts';
import { decodeUtf8 } from '../../../shared/formats/text.ts';
import { type Faulty, problemTexts, Refused } from '../../../shared/record/faults.ts';
import { csvReader, isCsv } from '../../saved/csv-record.ts';
import { parseSavedRecord } from '../../saved/saved-record.ts';
import type { WalkedPage } from '../connection/walk-pages.ts';
import { keepHeapSmall } from '../small-heap.ts';

interface SavedOptions {
  /** CSV: it was written with `--exact`. */
  readonly exact?: boolean | undefined;
  /** Called when it isn't CSV, before a record is read. */
  readonly whenNotCsv?: () => void;
}

type SavedLine = { readonly line: number } & ({ readonly record: ListedKey } | Faulty);

/**
 * The records of a roster that was saved, in the order of the file; `-` is standard input. It is JSON Lines, CSV, or JSON as `list` and
 * the console write it, which its first characters tell. Throws `Refused` for the first line that isn't right.
 */
export function savedRecords(file: string, options: SavedOptions = {}): AsyncGenerator<readonly ListedKey[]> {
  return linesOfFile(file, plain => recordsOf(plain, nameOf(file), options));
}

/** The same as a side of a difference. */
export const savedSide = (file: string, options?: SavedOptions) => ({
  name: nameOf(file),
  records: savedRecords(file, options),
});

const nameOf = (file: string) => (file === '-' ? 'standard input' : file);

/** The same as pages of a service. */
export async function* savedPages(file: string, options: SavedOptions = {}): AsyncGenerator<WalkedPage> {
  keepHeapSmall();
  for await (const data of savedRecords(file, options)) yield { data, organizationId: null, scope: null };
}

async function* recordsOf(
  plain: AsyncIterable<Buffer>,
  name: string,
  options: SavedOptions,
): AsyncGenerator<readonly ListedKey[]> {
  try {
    for await (const batch of savedLines(plain, name, options))
      if (batch.length > 0) yield batch.map(recordOf);
  } catch (error) {
    throw error instanceof Refused ? new Refused(`${name}: ${error.message}`, { cause: error }) : error;
  }
}

function recordOf(line: SavedLine): ListedKey {
  if ('record' in line) return line.record;
  throw new Refused(`line ${line.line}: ${problemTexts(line.faults).join('; ')}`);
}

/** What a JSON document of `list` or the console begins with, before its records, each in a line of its own. */
const DOCUMENT = /^\uFEFF?(?:\{"data":)?\[/;
const OBJECT = /^\uFEFF?\s*\{/;

/** It would pass every policy, and is what a command that failed leaves behind. */
const EMPTY =
  'is empty, as a file that was cut off is: a roster without keys has to be saved with --format json or csv';

const NO_ROSTER =
  'is no roster that was saved as JSON Lines, as JSON, or as CSV with all columns: save one with --format jsonl';

async function* savedLines(
  plain: AsyncIterable<Buffer>,
  name: string,
  { exact = false, whenNotCsv }: SavedOptions,
): AsyncGenerator<readonly SavedLine[]> {
  const { start, whole } = await peek(plain);
  if (start.trim() === '') throw new Refused(EMPTY);
  if (DOCUMENT.test(start) || OBJECT.test(start)) whenNotCsv?.();
  if (DOCUMENT.test(start)) yield* documentLines(whole, name);
  else if (OBJECT.test(start)) yield* readJsonLinesBy(parseSavedRecord, whole);
  else {
    if (!isCsv(start)) throw new Refused(NO_ROSTER);
    yield* csvLines(whole, exact);
  }
}

const BATCH_ROWS = 1_000;

async function* csvLines(plain: AsyncIterable<Buffer>, exact: boolean): AsyncGenerator<readonly SavedLine[]> {
  const { readCsvRows } = await import('../../../shared/formats/csv-rows.ts'); // and its parser
  const read = csvReader(exact);
  let batch: SavedLine[] = [];
  for await (const { line, record: cells } of readCsvRows(decodeUtf8(plain))) {
    const parsed = read(cells);
    if (parsed) batch.push({ line, ...parsed });
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

const END = /^(?:\{"data":\[)?\](.*)$/;
const COMMA = 0x2c;

/** Throws `Refused` where the end is missing, as in a file that was cut off, or isn't the end. */
async function* documentLines(
  plain: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<readonly SavedLine[]> {
  let line = 0;
  let end: string | undefined;
  for await (const lines of splitLines(plain)) {
    const batch: SavedLine[] = [];
    for (const bytes of lines) {
      line += 1;
      if (end !== undefined) throw new Refused(`line ${line}: is behind the end: leave one document`);
      const text = bytes.subarray(0, MAX_END).toString().trimEnd();
      if (line === 1 && /^\uFEFF?(?:\{"data":)?\[$/.test(text)) continue;
      end = END.exec(text)?.[1];
      if (end !== undefined) continue;
      if (line === 1) throw new Refused(`line 1: ${NOT_BY_LINES}`);
      batch.push({ line, ...recordIn(bytes) });
    }
    yield batch;
  }
  if (end === undefined) throw new Refused(`line ${line}: the end is missing: is the file cut off?`);
  if (end.includes('"has_more":true'))
    printError(`warning: ${name} has only some of the keys: has_more is true. Use list --all.`);
}

const NOT_BY_LINES = 'must be as list --format json writes it, a record a line';
/** The end has two IDs, so it is shorter. */
const MAX_END = 1_000;

function recordIn(bytes: Buffer): { readonly record: ListedKey } | Faulty {
  const json = bytes.at(-1) === COMMA ? bytes.subarray(0, -1) : bytes;
  const parsed = parseJsonLine(json, false, parseSavedRecord);
  return parsed ?? { faults: [{ field: null, problem: NOT_BY_LINES }] };
}

/** Enough to see what a file is: the heading of CSV with each declared field has less. */
const MIN_PEEKED = 4 * 1024;

/** The first bytes of the source as text, and all of it. */
async function peek(source: AsyncIterable<Buffer>): Promise<{ start: string; whole: AsyncIterable<Buffer> }> {
  const chunks = source[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < MIN_PEEKED) {
    const { done, value } = await chunks.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const whole = async function* () {
    yield start;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  return { start: start.subarray(0, MIN_PEEKED).toString(), whole: whole() };
}
