import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { flushFolder } from '../../shared/files.ts';
import { Refused } from '../../shared/record/faults.ts';

/** Whole or not at all, and for its owner alone: it has names and IDs of people. */
export async function writePrivately(
  file: string,
  pieces: Iterable<string> | AsyncIterable<string>,
  ...through: NodeJS.ReadWriteStream[]
): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const output = createWriteStream(temporary, { mode: 0o600, flags: 'wx', flush: true });
    await pipeline([Readable.from(pieces), ...through, output]);
    await rename(temporary, file);
    flushFolder(dirname(file));
  } catch (error) {
    const isOfFile = (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isOfFile
      ? new Refused(`can't write ${file}: ${(error as Error).message}`, { cause: error })
      : error;
  } finally {
    await rm(temporary, { force: true });
  }
}
