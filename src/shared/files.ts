import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

export const OWNER_ONLY_FOLDER_MODE = 0o700;

/** Makes it, and what it is in, for its owner alone. Node's own `recursive` never ends where nothing can be made, as in /proc. */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return;
  makePrivateFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: OWNER_ONLY_FOLDER_MODE });
  } catch (error) {
    if (!existsSync(folder)) throw error; // it may have been made meanwhile
  }
}

/** After a loss of power what was written to the file is on the disk. */
export function flush(file: string): void {
  const descriptor = openSync(file, 'r'); // a folder can't be opened to be written
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Of a folder that may not be read, of Windows, and of some network drives. */
const CANNOT_FLUSH: readonly unknown[] = ['EACCES', 'EPERM', 'EISDIR', 'EINVAL'];

/** The names in it likewise, where the system can do that: a file that is new, or renamed, is there by its name. */
export function flushFolder(folder: string): void {
  try {
    flush(folder);
  } catch (error) {
    if (!CANNOT_FLUSH.includes((error as NodeJS.ErrnoException).code)) throw error;
  }
}
