import type { ListedKey } from '../../../client/listed-key.ts';
import { linesOfFile } from '../../../shared/command/input/input-file.ts';
import { printError } from '../../../shared/command/terminal/print.ts';
import { separatorOf } from '../../../shared/formats/csv-text.ts';
import { parseJsonLine, readJsonLinesBy, splitLines } from '../../../shared/formats/json-lines.ts';
import { decodeUtf8 } from '../../../shared/formats/text.ts';
import { type Faulty, problemTexts, Refused } from '../../../shared/record/faults.ts';
import { isObject } from '../../../shared/record/fields.ts';
import { csvReader, isCsv } from '../../saved/csv-record.ts';
import { parseSavedRecord } from '../../saved/saved-record.ts';
import type { WalkedPage } from '../connection/walk-pages.ts';
import { keepHeapSmall } from '../small-heap.ts';
import { jsonDocuments } from './json-documents.ts';

interface SavedOptions {
  /** CSV: it was written with `--exact`. */
  readonly exact?: boolean | undefined;
  /** Called when it isn't CSV, before a record is read. */
  readonly whenNotCsv?: () => void;
}

/** `nth`: of the records of a document that begins on this line. */
type SavedLine = { readonly line: number; readonly nth?: number } & ({ readonly record: ListedKey } | Faulty);

/**
 * The records of a roster that was saved, in the order of the file; `-` is standard input. It is JSON Lines, CSV, JSON as `list` and
 * the console write it, or pages as the API answers them, which its first characters tell. Throws `Refused` for the first line that
 * isn't right.
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
  const place = line.nth === undefined ? `line ${line.line}` : `line ${line.line}, record ${line.nth}`;
  throw new Refused(`${place}: ${problemTexts(line.faults).join('; ')}`);
}

/** What JSON of `list` or the console begins with, before its records, each in a line of its own. */
const BY_LINES = /^\uFEFF?(?:\{"data":)?\[\r?\n(?:\{"|\])/;
/** What other JSON begins with: a list, a page, or a record over several lines. */
const DOCUMENT = /^\uFEFF?\s*(?:\[|\{\s*(?:"\w+"\s*:\s*(?:"[^"\\]*"|[\w.]+)\s*,\s*)*"data"\s*:\s*\[|\{\s*\n)/;
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
  if (BY_LINES.test(start)) yield* documentLines(whole, name);
  else if (DOCUMENT.test(start)) yield* documentRecords(whole, name);
  else if (OBJECT.test(start)) yield* readJsonLinesBy(parseSavedRecord, whole);
  else {
    const separator = separatorOf(start);
    if (!isCsv(start, separator)) throw new Refused(NO_ROSTER);
    yield* csvLines(whole, separator, exact);
  }
}

const BATCH_ROWS = 1_000;

async function* csvLines(
  plain: AsyncIterable<Buffer>,
  separator: string,
  exact: boolean,
): AsyncGenerator<readonly SavedLine[]> {
  const { readCsvRows } = await import('../../../shared/formats/csv-rows.ts'); // and its parser
  const read = csvReader(exact);
  let batch: SavedLine[] = [];
  for await (const { line, record: cells } of readCsvRows(decodeUtf8(plain), separator)) {
    const parsed = read(cells);
    if (parsed) batch.push({ line, ...parsed });
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function* documentRecords(
  plain: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<readonly SavedLine[]> {
  let hasMore: unknown;
  const ids = new Set<string>();
  const parse = (value: unknown): ReturnType<typeof parseSavedRecord> => {
    const parsed = parseSavedRecord(value);
    if ('faults' in parsed) return parsed;
    if (ids.size === ids.add(parsed.record.id).size) return { faults: [TWICE] };
    return parsed;
  };
  for await (const { line, content } of jsonDocuments(plain)) {
    const page = isObject(content) && Array.isArray(content.data) ? content : undefined;
    hasMore = page?.has_more;
    const records = (page?.data ?? (Array.isArray(content) ? content : [content])) as unknown[];
    yield records.map((record, index) => ({ line, nth: index + 1, ...parse(record) }));
  }
  if (hasMore === true) warnOfMore(name);
}

const TWICE = { field: 'id', problem: 'is there already: was a page saved twice?' };

const BEGIN = /^\uFEFF?(?:\{"data":)?\[$/;
const END = /^\](.*)$/;
const COMMA = 0x2c;

/** Throws `Refused` where the end is missing, as in a file that was cut off. */
async function* documentLines(
  plain: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<readonly SavedLine[]> {
  let line = 0;
  let end: string | undefined = '';
  for await (const lines of splitLines(plain)) {
    const batch: SavedLine[] = [];
    for (const bytes of lines) {
      line += 1;
      const text = bytes.subarray(0, MAX_END).toString().trimEnd();
      if (end !== undefined) {
        if (!BEGIN.test(text)) throw new Refused(`line ${line}: is no page or list as the one before it`);
        end = undefined;
        continue;
      }
      end = END.exec(text)?.[1];
      if (end === undefined) batch.push({ line, ...recordIn(bytes) });
    }
    yield batch;
  }
  if (end === undefined) throw new Refused(`line ${line}: the end is missing: is the file cut off?`);
  if (end.includes('"has_more":true')) warnOfMore(name);
}

function warnOfMore(name: string): void {
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
