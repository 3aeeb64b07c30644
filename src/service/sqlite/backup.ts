import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker, workerData } from 'node:worker_threads';
import { flush, flushFolder, OWNER_ONLY_FOLDER_MODE } from '../../shared/files.ts';
import { Refused } from '../../shared/record/faults.ts';
import { openFile } from './connection.ts';
import { problemAt } from './errors.ts';
import { createOwnerOnlyFile, openStoreFile } from './store-file.ts';

/** Is told from time to time how much of a copy is written: about which share, and how many megabytes. */
export type CopyListener = (share: number, megabytes: number) => void;
const TELL_EVERY_MS = 100;

/**
 * Writes a consistent copy of the store to a new file, while other processes read and write. The file appears complete or
 * not at all. It isn't served before a restore. The store may be of any release. Throws `Refused` when the copy exists already.
 */
export async function backup(file: string, copy: string, onCopied: CopyListener = () => {}): Promise<void> {
  if (existsSync(copy)) throw new Refused(`backup: ${copy} already exists: give another name`);
  // A folder, since SQLite makes a journal beside the copy, and leaves it when the disk is full. No one can guess the name and put
  // a link to another place there.
  const folder = `${copy}.${randomBytes(16).toString('base64url')}.partial`;
  const partial = join(folder, 'keyroster.db');
  const database = openStoreFile(file, { use: 'copy' });
  try {
    mkdirSync(folder, OWNER_ONLY_FOLDER_MODE);
    createOwnerOnlyFile(partial, 'wx');
    await vacuumInto(file, partial, onCopied);
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

/** SQLite says nothing before it has read all and written the copy, so it does that in a thread of its own. */
async function vacuumInto(file: string, copy: string, onCopied: CopyListener): Promise<void> {
  const thread = new Worker(new URL(import.meta.url), {
    workerData: { vacuum: file, into: copy },
    execArgv: [], // what Node loads before a program needs its name
  });
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const tell = () => onCopied(sizeOf(copy) / (sizeOf(file) || 1), Math.round(sizeOf(copy) / 1e6));
  const timer = setInterval(tell, TELL_EVERY_MS);
  await once(thread, 'exit').finally(() => clearInterval(timer)); // or an error
}

/** That thread runs this module. */
if (workerData?.vacuum) {
  const database = openFile(workerData.vacuum, { readOnly: true });
  database.prepare('VACUUM INTO ?').run(workerData.into);
  database.close();
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
