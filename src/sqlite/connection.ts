import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Refused } from '../roster/errors.ts';
import { problemOf } from './errors.ts';
import { requireCurrentSchema } from './schema-version.ts';

/** How long a statement waits for another process's lock. node:sqlite's own default is not to wait at all. */
const BUSY_TIMEOUT_MS = 5_000;
/** Pages that SQLite keeps in memory, in KiB. The operating system's cache holds the rest of the file. */
const CACHE_KIB = 8 * 1024;
/** How much of the write-ahead log stays on the disk after a large import. */
const MAX_IDLE_LOG_BYTES = 64 * 1024 * 1024;

/** Opens a store of this release's schema. Throws `Refused` when the file isn't one. */
export function openStoreFile(file: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  if (!existsSync(file))
    throw new Refused(`database: there is no file ${file}: run "keyroster migrate" to make it`);
  const database = openFile(file, { readOnly });
  try {
    requireCurrentSchema(database, file);
    // Readers and the one writer don't wait for each other. The file remembers it, but a backup doesn't.
    if (!readOnly) database.exec('PRAGMA journal_mode = WAL');
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** Opens the file, whatever is in it, with the settings that every connection needs. Creates it when it may be written. */
export function openFile(file: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, {
      readOnly,
      timeout: BUSY_TIMEOUT_MS,
      enableForeignKeyConstraints: true,
    });
    // FULL: what was acknowledged survives a power cut.
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
