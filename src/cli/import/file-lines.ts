import { createReadStream } from 'node:fs';
import type { Format } from '../../formats/format.ts';
import { readJsonLines } from '../../formats/json-lines.ts';
import { decodeUtf8, decompress } from '../../formats/text.ts';
import { Refused } from '../../roster/errors.ts';
import type { ImportLine } from '../../roster/roster.ts';

/** The lines of a file, or of standard input for `-`, telling now and then how many bytes and records were read. */
export async function* importLines(
  file: string,
  format: Format,
  progress: (bytes: number, records: number) => void,
): AsyncGenerator<readonly ImportLine[]> {
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
    for await (const batch of format === 'csv' ? csvLines(plain) : readJsonLines(plain)) {
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
    input.destroy(); // or standard input would keep the process for as long as somebody may write to it
  }
}

/** Loaded when it is used: the parser takes memory that the other commands have no use for. */
async function* csvLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<readonly ImportLine[]> {
  const { readCsv } = await import('../../formats/read-csv.ts');
  yield* readCsv(decodeUtf8(bytes));
}
