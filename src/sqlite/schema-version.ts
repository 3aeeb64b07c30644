import type { DatabaseSync } from 'node:sqlite';
import { Refused } from '../roster/errors.ts';
import { newerSchema, olderSchema } from '../roster/refusals.ts';
import { APPLICATION_ID, migrations } from './schema.ts';

/** Throws `Refused` when the file isn't a store with this release's schema. */
export function requireCurrentSchema(database: DatabaseSync, file: string): void {
  const version = storeVersion(database, file);
  if (version < migrations.length) throw olderSchema(file);
}

/** The number of migrations applied; 0 for an empty file. Throws `Refused` for another application's file and a newer schema. */
export function storeVersion(database: DatabaseSync, file: string): number {
  const { application_id, user_version, objects } = headerOf(database, file);
  const empty = application_id === 0 && user_version === 0 && objects === 0;
  if (application_id !== APPLICATION_ID && !empty) {
    throw new Refused(`database: ${file} is a SQLite file, but not a Keyroster store: give another file`);
  }
  if (user_version > migrations.length) throw newerSchema(file, user_version, migrations.length);
  return user_version;
}

function headerOf(
  database: DatabaseSync,
  file: string,
): { application_id: number; user_version: number; objects: number } {
  try {
    const sql = `SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) AS objects
      FROM pragma_application_id, pragma_user_version`;
    return database.prepare(sql).get() as ReturnType<typeof headerOf>;
  } catch (error) {
    throw new Refused(`database: can't read ${file}: ${(error as Error).message}`, { cause: error });
  }
}
