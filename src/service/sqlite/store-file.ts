import { closeSync, openSync, type Stats, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Refused } from '../../shared/record/faults.ts';
import type { SchemaUse } from '../roster/schema.ts';
import { openFile } from './connection.ts';
import { refused } from './errors.ts';
import { requireSchema } from './migrations/schema.ts';
import { useWriteAheadLog } from './write-ahead-log.ts';

/** Opens a store. Throws `Refused` when the file isn't a store whose schema this release can use so. */
export function openStoreFile(
  file: string,
  { use, waitMs }: { use: SchemaUse; waitMs?: number | undefined },
): DatabaseSync {
  const stats = statsOf(file);
  if (!stats)
    throw new Refused(
      `database: there is no file ${file}: "keyroster migrate" makes a new store, and "keyroster restore" brings a lost one back (docs/runbooks.md)`,
    );
  // SQLite would delete its write-ahead log, which may have what the file had.
  if (stats.isFile() && stats.size === 0)
    throw new Refused(
      `database: ${file} is empty: restore it, or run "keyroster migrate" to make a store of it`,
    );
  const readOnly = use !== 'write';
  let database: DatabaseSync | undefined;
  try {
    database = openFile(file, { readOnly, waitMs });
    requireSchema(database, file, use);
    if (!readOnly) useWriteAheadLog(database);
  } catch (error) {
    database?.close();
    throw refused(waitMs, error) ?? error;
  }
  return database;
}

/** `undefined` when there is no such file. */
function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw new Refused(`database: can't open ${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** Others must not read rosters and digests. SQLite gives the `-wal` and `-shm` files the same mode. */
const OWNER_ONLY_MODE = 0o600;

/** Creates the file unless it exists; with `wx` it fails then. To SQLite an empty file is an empty database. */
export function createOwnerOnlyFile(file: string, flag: 'a' | 'wx' = 'a'): void {
  closeSync(openSync(file, flag, OWNER_ONLY_MODE));
}
