import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { Refused } from '../roster/errors.ts';
import { createOwnerOnlyFile } from './owner-only-file.ts';
import { openStoreFile } from './store-file.ts';

/**
 * Writes a consistent copy of the store to a new file, while other processes read and write. The file appears complete or
 * not at all. Throws `Refused` when it exists already.
 */
export function backup(file: string, copy: string): void {
  if (existsSync(copy)) throw new Refused(`backup: ${copy} already exists: give another name`);
  // No one can guess the name and put a link to another file there.
  const partial = `${copy}.${randomBytes(16).toString('base64url')}.partial`;
  const database = openStoreFile(file, { readOnly: true });
  try {
    createOwnerOnlyFile(partial, 'wx');
    database.prepare('VACUUM INTO ?').run(partial);
    flush(partial);
    linkSync(partial, copy); // unlike a rename, it fails if the file was created in the meantime
  } catch (error) {
    throw new Refused(`backup: can't write ${copy}: ${(error as Error).message}`, { cause: error });
  } finally {
    database.close();
    rmSync(partial, { force: true });
  }
}

function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
