import { openSync, writeSync } from 'node:fs';
import { Refused } from '../../shared/record/faults.ts';

/** Readable by its owner only: it has lines that were refused because they hold a key. */
const OWNER_ONLY = 0o600;

/** Opens a file that must not be there yet. Throws `Refused`. */
export function openNewFile(option: string, path: string): number {
  try {
    return openSync(path, 'wx', OWNER_ONLY);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw isThere
      ? new Refused(`${option}: ${path} already exists: give another name`, { cause: error })
      : cannotWrite(option, path, error);
  }
}

export function cannotWrite(option: string, path: string, error: unknown): Refused {
  return new Refused(`${option}: can't write ${path}: ${(error as Error).message}`, { cause: error });
}

/** Writes all of the text, or throws: where the disk has no room for more, `writeSync` writes what fits and says so only by a number. */
export function writeAll(descriptor: number, text: string): number {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; )
    written += writeSync(descriptor, bytes, written, bytes.length - written);
  return bytes.length;
}
