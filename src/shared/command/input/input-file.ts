import { createReadStream, type Stats, statSync } from 'node:fs';
import { decompress } from '../../formats/text.ts';
import { Refused } from '../../record/faults.ts';
import { cannotRead } from './cannot-read.ts';

/**
 * Reads a file, or standard input for `-`; gzip is decompressed. Reports after each batch how many bytes and records were read so far.
 * Throws `Refused` for a file that can't be read.
 */
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
    throw unreadable ? notReadable(file, error as Error) : error;
  } finally {
    input.destroy(); // an open standard input would keep the process alive
  }
}

/** `undefined` for standard input, whose size nobody knows. */
export function sizeOf(file: string): number | undefined {
  if (file === '-') return undefined;
  let found: Stats;
  try {
    found = statSync(file);
  } catch (error) {
    throw notReadable(file, error as Error);
  }
  if (found.isDirectory()) throw new Refused(`${file} is a folder: give a file`);
  return found.size;
}

function notReadable(file: string, error: Error): Refused {
  return new Refused(cannotRead(file, error), { cause: error });
}
