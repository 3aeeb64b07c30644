import type { ApiKeyRecord } from '../../client/client.ts';
import { parseJsonLine, readJsonLinesBy } from '../../formats/json-lines.ts';
import { type Faulty, Refused } from '../../roster/errors.ts';
import { linesOfFile, sizeOf } from '../input/input-file.ts';
import { printError } from '../terminal/print.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';
import { splitDocument } from './document-records.ts';
import { parseSavedRecord } from './saved-record.ts';

interface SavedOptions {
  /** CSV: it was written with `--exact`. */
  readonly exact?: boolean | undefined;
}

type SavedLine = { readonly line: number } & ({ readonly record: ApiKeyRecord } | Faulty);

/**
 * The records of a roster that was saved, in the order of the file; `-` is standard input. It is JSON Lines, CSV, or one JSON document
 * as `list` and the API print it, which its first characters tell. Throws `Refused` for the first line that isn't right.
 */
export async function* savedRecords(
  file: string,
  { exact = false }: SavedOptions = {},
): AsyncGenerator<readonly ApiKeyRecord[]> {
  const name = file === '-' ? 'standard input' : file;
  const size = sizeOf(file);
  const bar = new ProgressBar();
  try {
    yield* linesOfFile(
      file,
      plain => recordsOf(plain, name, exact),
      (bytes, records) => bar.draw(size && bytes / size, 'reading', records),
    );
  } finally {
    bar.clear();
  }
}

async function* recordsOf(
  plain: AsyncIterable<Buffer>,
  name: string,
  exact: boolean,
): AsyncGenerator<readonly ApiKeyRecord[]> {
  try {
    for await (const batch of savedLines(plain, name, exact)) if (batch.length > 0) yield batch.map(recordOf);
  } catch (error) {
    throw error instanceof Refused ? new Refused(`${name}: ${error.message}`, { cause: error }) : error;
  }
}

function recordOf(line: SavedLine): ApiKeyRecord {
  if ('record' in line) return line.record;
  const faults = line.faults.map(({ field, problem }) => (field === null ? problem : `${field}: ${problem}`));
  throw new Refused(`line ${line.line}: ${faults.join('; ')}`);
}

/** What a JSON document begins with: its list, or the member `data` with it. Records in JSON Lines begin otherwise. */
const DOCUMENT = /^\uFEFF?\s*(?:\[|\{\s*"data"\s*:)/;
const OBJECT = /^\uFEFF?\s*\{/;

/** It would pass every policy, and is what a command that failed leaves behind. */
const EMPTY =
  'is empty, as a file that was cut off is: a roster without keys has to be saved with --format json or csv';

async function* savedLines(
  plain: AsyncIterable<Buffer>,
  name: string,
  exact: boolean,
): AsyncGenerator<readonly SavedLine[]> {
  const { start, whole } = await peek(plain);
  if (start.trim() === '') throw new Refused(EMPTY);
  if (DOCUMENT.test(start)) yield* documentLines(whole, name);
  else if (OBJECT.test(start)) yield* readJsonLinesBy(parseSavedRecord, whole);
  else {
    const { csvRecords, requireCsv } = await import('./csv-records.ts');
    requireCsv(start);
    yield* csvRecords(whole, exact, parseSavedRecord);
  }
}

async function* documentLines(
  plain: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<readonly SavedLine[]> {
  const elements = splitDocument(plain, ({ has_more }) => {
    if (has_more === true)
      printError(`warning: ${name} has only some of the keys: has_more is true. Use list --all.`);
  });
  for await (const batch of elements)
    yield batch.map(({ line, bytes }) => {
      const parsed = parseJsonLine(bytes, false, parseSavedRecord);
      if (!parsed) throw new Error('an object is never an empty line');
      return { line, ...parsed };
    });
}

/** Enough to see what a file is: the heading of CSV with each declared field has less. */
const MIN_PEEKED = 4 * 1024;

/** The first bytes of the source as text, and all of it. */
async function peek(source: AsyncIterable<Buffer>): Promise<{ start: string; whole: AsyncIterable<Buffer> }> {
  const chunks = source[Symbol.asyncIterator]();
  const peeked: Buffer[] = [];
  let length = 0;
  let next = await chunks.next();
  while (!next.done && length < MIN_PEEKED) {
    peeked.push(next.value);
    length += next.value.length;
    if (length < MIN_PEEKED) next = await chunks.next();
  }
  const start = Buffer.concat(peeked);
  const whole = async function* () {
    yield start;
    if (next.done) return;
    for (let chunk = await chunks.next(); !chunk.done; chunk = await chunks.next()) yield chunk.value;
  };
  return { start: start.subarray(0, MIN_PEEKED).toString(), whole: whole() };
}
