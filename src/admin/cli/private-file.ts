import { randomBytes } from 'node:crypto';
import { createWriteStream, lstatSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { flushFolder } from '../../shared/files.ts';
import { Refused } from '../../shared/record/faults.ts';

/**
 * Whole or not at all, and for its owner alone: it has names and IDs of people. What is no regular file, such as a device, a FIFO or a
 * link, is written as it stands, since a new file in its place would end it.
 */
export async function writePrivately(
  file: string,
  pieces: Iterable<string> | AsyncIterable<string>,
  ...through: NodeJS.ReadWriteStream[]
): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  const write = (to: string, options: { readonly flags: string; readonly flush?: boolean }) =>
    pipeline([Readable.from(pieces), ...through, createWriteStream(to, { mode: 0o600, ...options })]);
  try {
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false)
      return await write(file, { flags: 'w' });
    await write(temporary, { flags: 'wx', flush: true });
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
