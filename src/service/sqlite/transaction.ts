import type { DatabaseSync } from 'node:sqlite';
import { isOfDisk } from './errors.ts';
import { emptyLog } from './write-ahead-log.ts';

/** Runs the work in a transaction, which is rolled back if the work throws. By default it takes the write lock at once. */
export function inTransaction<T>(database: DatabaseSync, work: () => T, begin = 'BEGIN IMMEDIATE'): T {
  database.exec(begin);
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // After some errors, such as a full disk, SQLite has rolled back already.
    if (database.isTransaction) database.exec('ROLLBACK');
    if (isOfDisk(error)) emptyLog(database);
    throw error;
  }
}

/** Runs transactions in which SQLite doesn't check foreign keys. It takes the setting between transactions only. */
export function withoutForeignKeys<T>(database: DatabaseSync, work: () => T): T {
  database.exec('PRAGMA foreign_keys = OFF');
  try {
    return work();
  } finally {
    database.exec('PRAGMA foreign_keys = ON');
  }
}
