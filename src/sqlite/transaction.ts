import type { DatabaseSync } from 'node:sqlite';

/** Runs the work, under the write lock unless told otherwise: all of it is kept, or, when it throws, none. */
export function inTransaction<T>(database: DatabaseSync, work: () => T, begin = 'BEGIN IMMEDIATE'): T {
  database.exec(begin);
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite has rolled back by itself after some faults, a full disk among them.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
