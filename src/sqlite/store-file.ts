import { type Stats, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Refused } from '../roster/errors.ts';
import type { SchemaUse } from '../roster/schema.ts';
import { openFile } from './connection.ts';
import { refused } from './errors.ts';
import { CountedDatabase, isOlderThanLog, stateOf } from './file-state.ts';
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
    requireOwnLog(file, waitMs);
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

/**
 * Throws `Refused` when the file's log was written for other content. To be called before a connection that may write is opened:
 * when that is closed, SQLite moves the log into the file.
 */
export function requireOwnLog(file: string, waitMs?: number): void {
  const state = stateOf(file);
  const hasLog = state.log !== null && state.log.size > 0n;
  // Checkpoints, copies and tools change the times of files, so the content has to decide.
  if (hasLog && !isOlderThanLog(state) && !(hasHistoryOfLog(file, waitMs) && isIntact(file, waitMs)))
    throw new ForeignContent();
}

/** The main file's content isn't what the log was written for. */
export class ForeignContent extends Refused {
  constructor() {
    super(`other content was written into the file beside the -wal file of the previous content: ${MEND}`);
  }
}

export const MEND =
  'stop all processes that use it and put the file back that the log was written for; or, if the log is not needed, put the new file in its place and delete -wal and -shm';

const LATEST_ACT = 'SELECT number, recorded_at FROM audit_log ORDER BY number DESC LIMIT 1';

/** Whether the last act that the file has without its log is one that it has with it: each transaction records one. */
export function hasHistoryOfLog(file: string, waitMs?: number): boolean {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1'); // SQLite doesn't look at the log then
  return isSo(file, waitMs, database => {
    const withoutLog = new CountedDatabase(url, { readOnly: true });
    try {
      const act = withoutLog.prepare(LATEST_ACT).get();
      const same = 'SELECT 1 FROM audit_log WHERE number = ? AND recorded_at = ?';
      return !act || database.prepare(same).get(act.number ?? null, act.recorded_at ?? null) !== undefined;
    } finally {
      withoutLog.close();
    }
  });
}

/** Whether SQLite finds the whole content consistent. Takes seconds for a million keys. */
export function isIntact(file: string, waitMs?: number): boolean {
  const check = 'PRAGMA integrity_check(1)';
  return isSo(file, waitMs, database => database.prepare(check).get()?.integrity_check === 'ok');
}

function isSo(
  file: string,
  waitMs: number | undefined,
  question: (database: DatabaseSync) => boolean,
): boolean {
  const database = openFile(file, { readOnly: true, waitMs });
  try {
    return question(database);
  } catch {
    return false; // it can't even be read
  } finally {
    database.close();
  }
}
