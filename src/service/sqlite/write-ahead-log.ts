import type { DatabaseSync } from 'node:sqlite';
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

/** Reads of the service take milliseconds. For an export, which may take hours, the log stays as it is. */
const WAIT_MS = 1_000;

/**
 * Gives back the disk space of the log. What a failed transaction wrote there, or a large one that was committed, is else there until
 * a later write: a disk that it filled would stay full for everything else.
 */
export function emptyLog(database: DatabaseSync): void {
  const { timeout } = database.prepare('PRAGMA busy_timeout').get() as { timeout: number };
  database.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
  checkpoint(database, 'TRUNCATE');
  database.exec(`PRAGMA busy_timeout = ${timeout}`);
}

/** Moves what is committed into the file, as far as readers allow, so that `emptyLog` can do its work on a full disk. */
export function settleLog(database: DatabaseSync): void {
  checkpoint(database, 'PASSIVE');
}

function checkpoint(database: DatabaseSync, mode: 'PASSIVE' | 'TRUNCATE'): void {
  try {
    database.prepare(`PRAGMA wal_checkpoint(${mode})`).get();
  } catch {
    // A full disk, or a read that is under way on this connection. Nothing depends on it: the log stays as it is.
  }
}
