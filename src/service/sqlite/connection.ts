import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Refused } from '../../shared/record/faults.ts';
import { isOfDisk, problemAt } from './errors.ts';
import { emptyLog } from './write-ahead-log.ts';

/** How long a statement waits for the lock of another process, unless asked otherwise. The default of node:sqlite is not to wait. */
const BUSY_TIMEOUT_MS = 5_000;
/**
 * SQLite's page cache, as far as it is used. The operating system caches the rest of the file. A writer's keys go to random places
 * of five B-trees, and pages that don't fit in the cache are written and read repeatedly.
 */
const CACHE_KIB = { reader: 8 * 1024, writer: 48 * 1024 };
/** The write-ahead log is truncated to this size after a large import: by SQLite at the next commit, or by `closeWriter`. */
const MAX_IDLE_LOG_BYTES = 64 * 1024 * 1024;
/** Of a new file. A record has some 350 bytes, so half as many pages are read for a list as with SQLite's default of 4,096. */
const PAGE_BYTES = 8_192;
/**
 * A log of this size is moved into the file, at the end of a commit. 200 keys of random organizations change 1,000 pages, which
 * is SQLite's default: each commit would move all of them, and the service open the file again.
 */
const CHECKPOINT_PAGES = MAX_IDLE_LOG_BYTES / PAGE_BYTES;

/** Opens any SQLite file with the settings of every connection. Creates it unless it is opened read-only. */
export function openFile(
  file: string,
  { readOnly, waitMs = BUSY_TIMEOUT_MS }: { readOnly: boolean; waitMs?: number | undefined },
): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    refuseSpecialFile(file);
    database = new DatabaseSync(file, {
      readOnly,
      timeout: waitMs,
      enableForeignKeyConstraints: true,
    });
    // FULL: a committed transaction survives a power failure. What is deleted, or moved to another page, is overwritten: a deleted
    // organization and a reverted import leave nothing in the file. Not in the temporary tables, which are files of their own.
    database.exec(
      `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA synchronous = FULL; PRAGMA main.secure_delete = ON;
       PRAGMA cache_size = -${readOnly ? CACHE_KIB.reader : CACHE_KIB.writer};
       PRAGMA journal_size_limit = ${MAX_IDLE_LOG_BYTES}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
    );
    return database;
  } catch (error) {
    database?.close();
    throw new Refused(`database: can't open ${file}: ${problemAt(file, error)}`, {
      cause: error,
    });
  }
}

/** Closes the database after the work. */
export async function withDatabase<T>(
  database: DatabaseSync,
  work: (database: DatabaseSync) => T | Promise<T>,
): Promise<T> {
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

/** Leaves no large log: of a large import, or of a command that was killed. Where nobody else has the file open, SQLite deletes it. */
export function closeWriter(database: DatabaseSync, file: string): void {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log && log.size > MAX_IDLE_LOG_BYTES) emptyLog(database);
  database.close();
}

/** Opening a FIFO would wait for another process forever, and a device has nothing to read or never an end. */
export function refuseSpecialFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats && !stats.isFile()) throw new Error('it is not a regular file: give the path of a store');
}

/** Runs the work in a transaction, which is rolled back if the work throws. By default it takes the write lock at once. */
export function inTransaction<T>(database: DatabaseSync, work: () => T, begin = 'BEGIN IMMEDIATE'): T {
  database.exec(begin);
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // After some errors, such as a full disk, SQLite has rolled back already.
    if (database.isTransaction) database.exec('ROLLBACK');
    if (isOfDisk(error)) emptyLog(database);
    throw error;
  }
}

/** Runs transactions in which SQLite doesn't check foreign keys. It takes the setting between transactions only. */
export function withoutForeignKeys<T>(database: DatabaseSync, work: () => T): T {
  database.exec('PRAGMA foreign_keys = OFF');
  try {
    return work();
  } finally {
    database.exec('PRAGMA foreign_keys = ON');
  }
}
