import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Refused } from '../roster/errors.ts';
import { problemOf } from './errors.ts';
import { requireCurrentSchema } from './schema-version.ts';

/** How long a statement waits for the lock of another process. The default of node:sqlite is not to wait. */
const BUSY_TIMEOUT_MS = 5_000;
/** SQLite's page cache. The operating system caches the rest of the file. */
const CACHE_KIB = 8 * 1024;
/** The write-ahead log is truncated to this size after a large import. */
const MAX_IDLE_LOG_BYTES = 64 * 1024 * 1024;

/** Opens a store. Throws `Refused` when the file isn't a store with this release's schema. */
export function openStoreFile(file: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  if (!existsSync(file))
    throw new Refused(`database: there is no file ${file}: run "keyroster migrate" to create it`);
  const database = openFile(file, { readOnly });
  try {
    requireCurrentSchema(database, file);
    // In WAL mode readers and the one writer don't wait for each other. The mode is stored in the file; a backup loses it.
    if (!readOnly) database.exec('PRAGMA journal_mode = WAL');
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** Opens any SQLite file with the settings of every connection. Creates it unless it is opened read-only. */
export function openFile(file: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, {
      readOnly,
      timeout: BUSY_TIMEOUT_MS,
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
