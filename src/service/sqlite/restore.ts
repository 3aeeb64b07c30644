import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { flush, flushFolder, makePrivateFolder } from '../../shared/files.ts';
import { Refused } from '../../shared/record/faults.ts';
import type { Actor } from '../roster/actor.ts';
import { backup, type CopyListener } from './backup.ts';
import { openFile } from './connection.ts';
import { isLocked, problemAt } from './errors.ts';
import { migrate } from './migrations/migrate.ts';

/**
 * Makes a copy of a backup beside the store, with the schema of this release, and gives its file to the work. Then the copy takes the
 * place of the store in one step, and the store is kept under another name. When the work fails, nothing is changed. Returns where the
 * store is now; `null` where there was none. Throws `Refused`, also while another process has the store open.
 */
export async function restore(
  file: string,
  copy: string,
  actor: Actor,
  work: (prepared: string) => Promise<void>,
  onCopied?: CopyListener,
): Promise<string | null> {
  const real = existsSync(file) ? realpathSync.native(file) : file; // SQLite puts the log beside what a link leads to
  const folder = `${real}.${randomBytes(16).toString('base64url')}.partial`;
  const prepared = join(folder, 'keyroster.db');
  try {
    const latest = requireUnused(real);
    makePrivateFolder(folder);
    await backup(copy, prepared, onCopied);
    await migrate(prepared, actor);
    await work(prepared);
    flush(prepared);
    if (requireUnused(real) !== latest)
      throw new Refused(`restore: ${real} was written meanwhile: run it again; nothing was changed`);
    return putInPlace(prepared, real);
  } catch (error) {
    const { syscall } = error as NodeJS.ErrnoException; // of a file or a folder
    throw syscall === undefined ? error : new Refused(`restore: ${problemAt(real, error)}`, { cause: error });
  } finally {
    removeCopies(real);
  }
}

/** The copy, and what a restore that was killed has left. */
function removeCopies(file: string): void {
  const name = basename(file);
  const isCopy = (each: string) => each.startsWith(name) && COPY.test(each.slice(name.length));
  for (const each of existsSync(dirname(file)) ? readdirSync(dirname(file)).filter(isCopy) : [])
    rmSync(join(dirname(file), each), { recursive: true, force: true });
}

const COPY = /^\.[\w-]{22}\.partial$/;

/**
 * Moves the log into the file. SQLite turns it off when nobody else has the file open, a reader included. A damaged file is left as it
 * is, with its log. Returns what tells its latest act from others.
 */
function requireUnused(file: string): unknown {
  if (!existsSync(file)) return;
  try {
    const database = openFile(file, { readOnly: false, waitMs: 0 });
    try {
      database.exec('PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL');
      return database.prepare('SELECT max(number) || recorded_at AS latest FROM audit_log').get()?.latest;
    } finally {
      database.close();
    }
  } catch (error) {
    if (isLocked(error))
      throw new Refused(
        `restore: another process has ${file} open: stop "keyroster serve" and every command; nothing was changed`,
        { cause: error },
      );
  }
}

/** A log that is left is moved away before the file, as SQLite would apply it to the other one. */
function putInPlace(prepared: string, file: string): string | null {
  const before = `${file}.before-${new Date().toISOString().replaceAll(':', '-')}`;
  const isThere = existsSync(file);
  if (isThere) linkSync(file, before);
  for (const suffix of ['-wal', '-shm'])
    if (existsSync(file + suffix)) renameSync(file + suffix, before + suffix);
  renameSync(prepared, file);
  flushFolder(dirname(file));
  return isThere ? before : null;
}
