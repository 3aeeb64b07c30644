import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Refused } from '../roster/errors.ts';
import { problemOf } from './errors.ts';
import { CountedDatabase } from './files/descriptors.ts';

/** How long a statement waits for the lock of another process, unless asked otherwise. The default of node:sqlite is not to wait. */
const BUSY_TIMEOUT_MS = 5_000;
/** SQLite's page cache. The operating system caches the rest of the file. */
const CACHE_KIB = 8 * 1024;
/** The write-ahead log is truncated to this size after a large import. */
const MAX_IDLE_LOG_BYTES = 64 * 1024 * 1024;

/** Opens any SQLite file with the settings of every connection. Creates it unless it is opened read-only. */
export function openFile(
  file: string,
  { readOnly, waitMs = BUSY_TIMEOUT_MS }: { readOnly: boolean; waitMs?: number | undefined },
): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    refuseSpecialFile(file);
    database = new CountedDatabase(file, {
      readOnly,
      timeout: waitMs,
      enableForeignKeyConstraints: true,
    });
    // FULL: a committed transaction survives a power failure.
    database.exec(
      `PRAGMA synchronous = FULL; PRAGMA cache_size = -${CACHE_KIB}; PRAGMA journal_size_limit = ${MAX_IDLE_LOG_BYTES}`,
    );
    return database;
  } catch (error) {
    database?.close();
    throw new Refused(`database: can't open ${file}: ${problemOf(error) ?? (error as Error).message}`, {
      cause: error,
    });
  }
}

/** Opening a FIFO would wait for another process forever, and a device has nothing to read or never an end. */
export function refuseSpecialFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats && !stats.isFile()) throw new Error('it is not a regular file: give the path of a store');
}
