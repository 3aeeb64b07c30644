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
