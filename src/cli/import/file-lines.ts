import { createReadStream, type Stats, statSync } from 'node:fs';
import type { Format } from '../../formats/format.ts';
import { readJsonLines } from '../../formats/json-lines.ts';
import type { LineOrganization } from '../../formats/line-organization.ts';
import type { CsvOptions } from '../../formats/read-csv.ts';
import { decodeUtf8, decompress } from '../../formats/text.ts';
import { Refused } from '../../roster/errors.ts';
import type { ImportLine } from '../../roster/roster.ts';

export function fileLines(
  file: string,
  organization: LineOrganization,
  format: Format,
  options: CsvOptions,
  progress: (bytes: number, records: number) => void,
): AsyncGenerator<readonly ImportLine[]> {
  const read = (plain: AsyncIterable<Buffer>) =>
    format === 'csv' ? csvLines(plain, organization, options) : readJsonLines(plain, organization, options);
  return linesOfFile(file, read, progress);
}

/** Reads a file, or standard input for `-`. Reports after each batch how many bytes and records were read so far. */
export async function* linesOfFile<Line>(
  file: string,
  read: (plain: AsyncIterable<Buffer>) => AsyncIterable<readonly Line[]>,
  progress: (bytes: number, records: number) => void,
): AsyncGenerator<readonly Line[]> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  let bytes = 0;
  let records = 0;
  const counted = async function* () {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  const plain = decompress(counted());
  try {
    for await (const batch of read(plain)) {
      records += batch.length;
      progress(bytes, records);
      yield batch;
    }
  } catch (error) {
    const unreadable = (error as NodeJS.ErrnoException).syscall !== undefined;
    throw unreadable
      ? new Refused(`import: can't read ${file}: ${(error as Error).message}`, { cause: error })
      : error;
  } finally {
    input.destroy(); // an open standard input would keep the process alive
  }
}

/** Loaded when it is used: the other commands shouldn't pay for the parser's memory. */
async function* csvLines(
  bytes: AsyncIterable<Buffer>,
  organization: LineOrganization,
  options: CsvOptions,
): AsyncGenerator<readonly ImportLine[]> {
  const { readCsv } = await import('../../formats/read-csv.ts');
  yield* readCsv(decodeUtf8(bytes), organization, options);
}

/** `undefined` for standard input, whose size nobody knows. */
export function sizeOf(file: string): number | undefined {
  if (file === '-') return undefined;
  let found: Stats;
  try {
    found = statSync(file);
  } catch (error) {
    throw new Refused(`import: can't read ${file}: ${(error as Error).message}`, { cause: error });
  }
  if (found.isDirectory()) throw new Refused(`import: ${file} is a folder: give a file`);
  return found.size;
}
