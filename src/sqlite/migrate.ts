import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Refused } from '../roster/errors.ts';
import { openFile } from './connection.ts';
import { createOwnerOnlyFile } from './owner-only-file.ts';
import { APPLICATION_ID, migrations } from './schema.ts';
import { storeVersion } from './schema-version.ts';
import { inTransaction } from './transaction.ts';

/**
 * Brings the store in this file to this release's schema, all of it or nothing, creating the file when there is
 * none. Two at once are safe: the second waits, and finds the work done. Returns how many steps were applied.
 */
export function migrate(file: string): number {
  createFile(file);
  const database = openFile(file, { readOnly: false });
  try {
    storeVersion(database, file); // before anything is written: the file may be somebody else's
    // Readers and the one writer don't wait for each other. The file remembers it.
    database.exec('PRAGMA journal_mode = WAL');
    return inTransaction(database, () => {
      const version = storeVersion(database, file);
      for (const step of migrations.slice(version)) database.exec(step);
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`);
      return migrations.length - version;
    });
  } finally {
    database.close();
  }
}

function createFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    createOwnerOnlyFile(file);
  } catch (error) {
    throw new Refused(`database: can't create ${file}: ${(error as Error).message}`, { cause: error });
  }
}
