import { createReadStream, type Stats, statSync } from 'node:fs';
import { decompress } from '../../formats/text.ts';
import { Refused } from '../../record/faults.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';
import { cannotRead } from './text-of-file.ts';

/**
 * Reads a file, or standard input for `-`; gzip is decompressed. The bar shows how much was read so far. Throws `Refused` for a
 * file that can't be read.
 */
export async function* linesOfFile<Line>(
  file: string,
  read: (plain: AsyncIterable<Buffer>) => AsyncIterable<readonly Line[]>,
  bar = new ProgressBar(),
): AsyncGenerator<readonly Line[]> {
  const size = sizeOf(file);
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
      bar.draw(size && bytes / size, 'reading', records);
      yield batch;
    }
  } catch (error) {
    const unreadable = (error as NodeJS.ErrnoException).syscall !== undefined;
    throw unreadable ? notReadable(file, error as Error) : error;
  } finally {
    bar.clear();
    input.destroy(); // an open standard input would keep the process alive
  }
}

/** `undefined` for standard input, whose size nobody knows. */
function sizeOf(file: string): number | undefined {
  if (file === '-') return undefined;
  let found: Stats;
  try {
    found = statSync(file);
  } catch (error) {
    throw notReadable(file, error as Error);
  }
  if (found.isDirectory()) throw notReadable(file, new Error('it is a folder: give a file'));
  return found.size;
}

function notReadable(file: string, error: Error): Refused {
  return new Refused(cannotRead(file, error), { cause: error });
}
