import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { flush, flushFolder, OWNER_ONLY_FOLDER_MODE } from '../../shared/files.ts';
import { Refused } from '../../shared/record/faults.ts';
import { openFile } from './connection.ts';
import { problemAt } from './errors.ts';
import { createOwnerOnlyFile, openStoreFile } from './store-file.ts';

/**
 * Writes a consistent copy of the store to a new file, while other processes read and write. The file appears complete or
 * not at all. It isn't served before a restore. The store may be of any release. Throws `Refused` when the copy exists already.
 */
export function backup(file: string, copy: string): void {
  if (existsSync(copy)) throw new Refused(`backup: ${copy} already exists: give another name`);
  // A folder, since SQLite makes a journal beside the copy, and leaves it when the disk is full. No one can guess the name and put
  // a link to another place there.
  const folder = `${copy}.${randomBytes(16).toString('base64url')}.partial`;
  const partial = join(folder, 'keyroster.db');
  const database = openStoreFile(file, { use: 'copy' });
  try {
    mkdirSync(folder, OWNER_ONLY_FOLDER_MODE);
    createOwnerOnlyFile(partial, 'wx');
    database.prepare('VACUUM INTO ?').run(partial);
    markAsCopy(partial);
    flush(partial);
    linkSync(partial, copy); // unlike a rename, it fails if the file was created in the meantime
    flushFolder(dirname(copy));
  } catch (error) {
    throw new Refused(`backup: can't write ${copy}: ${problemAt(copy, error)}`, { cause: error });
  } finally {
    database.close();
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

/** Stores of unreleased commits don't know which they are. */
function markAsCopy(file: string): void {
  const copy = openFile(file, { readOnly: false });
  try {
    const knowsItself = copy.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'store'").get();
    if (knowsItself) copy.exec('UPDATE store SET copied = 1');
  } finally {
    copy.close();
  }
}
