import { closeSync, openSync, type Stats, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Refused } from '../../shared/record/faults.ts';
import type { SchemaUse } from '../roster/schema.ts';
import { openFile } from './connection.ts';
import { refused } from './errors.ts';
import { CountedDatabase } from './files/descriptors.ts';
import { ForeignContent, StoreFiles } from './files/store-files.ts';
import { requireSchema } from './schema.ts';
import { useWriteAheadLog } from './write-ahead-log.ts';

/** Opens a store. Throws `Refused` when the file isn't a store whose schema this release can use so, with its own log. */
export function openStoreFile(
  file: string,
  { use, waitMs }: { use: SchemaUse; waitMs?: number | undefined },
): DatabaseSync {
  const stats = statsOf(file);
  if (!stats) throw new Refused(`database: there is no file ${file}: run "keyroster migrate" to create it`);
  // SQLite would delete its write-ahead log, which may have what the file had.
  if (stats.isFile() && stats.size === 0)
    throw new Refused(
      `database: ${file} is empty: restore it, or run "keyroster migrate" to make a store of it`,
    );
  const readOnly = use !== 'write';
  let database: DatabaseSync | undefined;
  try {
    if (!readOnly) requireOwnLog(file, waitMs);
    database = openFile(file, { readOnly, waitMs });
    requireSchema(database, file, use);
    if (readOnly) requireLogOf(database, file);
    else useWriteAheadLog(database);
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

/**
 * Throws `Refused` when the file's log was written for other content. To be called before a connection that may write is opened:
 * when that is closed, SQLite moves the log into the file.
 */
export function requireOwnLog(file: string, waitMs?: number): void {
  const database = openFile(file, { readOnly: true, waitMs });
  try {
    requireLogOf(database, file);
  } finally {
    database.close();
  }
}

function requireLogOf(database: DatabaseSync, file: string): void {
  database.prepare('PRAGMA schema_version').get(); // SQLite reads the log now
  const files = new StoreFiles(file);
  try {
    files.verify(null);
  } catch (error) {
    // Copies and tools change the times of files, so the content has to decide.
    if (!(error instanceof ForeignContent && hasHistoryOf(database, file) && isIntact(database))) throw error;
  } finally {
    files.close();
  }
}

const LATEST_ACT = 'SELECT number, recorded_at FROM audit_log ORDER BY number DESC LIMIT 1';

/** Whether the last act that the file has without its log is one that it has with it: each transaction records one. */
function hasHistoryOf(database: DatabaseSync, file: string): boolean {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1'); // SQLite doesn't look at the log then
  const withoutLog = new CountedDatabase(url, { readOnly: true });
  try {
    const act = withoutLog.prepare(LATEST_ACT).get();
    const same = 'SELECT 1 FROM audit_log WHERE number = ? AND recorded_at = ?';
    return !act || database.prepare(same).get(act.number ?? null, act.recorded_at ?? null) !== undefined;
  } catch {
    return false;
  } finally {
    withoutLog.close();
  }
}

/** Whether SQLite finds the whole content consistent. Takes seconds for a million keys. */
export function isIntact(database: DatabaseSync): boolean {
  try {
    return database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check === 'ok';
  } catch {
    return false;
  }
}

/** Others must not read rosters and digests. SQLite gives the `-wal` and `-shm` files the same mode. */
const OWNER_ONLY_MODE = 0o600;

/** Creates the file unless it exists; with `wx` it fails then. To SQLite an empty file is an empty database. */
export function createOwnerOnlyFile(file: string, flag: 'a' | 'wx' = 'a'): void {
  closeSync(openSync(file, flag, OWNER_ONLY_MODE));
}
