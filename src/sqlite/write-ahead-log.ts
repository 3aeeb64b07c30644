import type { DatabaseSync } from 'node:sqlite';
import { openFile } from './connection.ts';
import { isLocked } from './errors.ts';

/**
 * In WAL mode readers and the one writer don't wait for each other. The mode is stored in the file; a new file and a backup don't have
 * it. SQLite doesn't wait for the lock that the switch needs, but for that of a transaction it does.
 */
export function useWriteAheadLog(database: DatabaseSync): void {
  const { timeout } = database.prepare('PRAGMA busy_timeout').get() as { timeout: number };
  const end = performance.now() + timeout;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isLocked(error) || performance.now() > end) throw error;
      database.exec('BEGIN EXCLUSIVE; ROLLBACK');
    }
  }
}

/**
 * Before a long read of this connection: without the mode it would hold up each writer. Leaves a file as it is that can't be written,
 * or that somebody else has locked.
 */
export function useWriteAheadLogIfPossible(reader: DatabaseSync, file: string): void {
  if (reader.prepare('PRAGMA journal_mode').get()?.journal_mode === 'wal') return;
  let database: DatabaseSync | undefined;
  try {
    database = openFile(file, { readOnly: false, waitMs: 0 });
    useWriteAheadLog(database);
  } catch {
    // The read is right without it too.
  } finally {
    database?.close();
  }
}
