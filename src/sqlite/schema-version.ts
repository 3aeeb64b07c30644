import type { DatabaseSync } from 'node:sqlite';
import { Refused } from '../roster/errors.ts';
import { isUsable, type Schema, type SchemaUse, unusableSchema } from '../roster/schema.ts';
import { APPLICATION_ID, ownSchema } from './schema.ts';

/** Throws `Refused` when the file isn't a store that this release can use so. */
export function requireSchema(database: DatabaseSync, file: string, use: SchemaUse): void {
  const schema = schemaOf(database, file);
  if (!isUsable(schema, ownSchema(), use)) throw unusableSchema(file, schema, ownSchema());
}

/**
 * The number of migrations applied; 0 for an empty file. Throws `Refused` for another application's file, and for the schema of a
 * newer release, unless this one can use it.
 */
export function storeVersion(database: DatabaseSync, file: string): number {
  const schema = schemaOf(database, file);
  if (schema.version > ownSchema().version && !isUsable(schema, ownSchema(), 'write'))
    throw unusableSchema(file, schema, ownSchema());
  return schema.version;
}

/** That of the store; its version is 0 for an empty file. Throws `Refused` for another application's file. */
export function schemaOf(database: DatabaseSync, file: string): Schema {
  const { application_id, user_version: version, objects, migrations } = headerOf(database, file);
  const empty = application_id === 0 && version === 0 && objects === 0;
  if (application_id !== APPLICATION_ID && !empty) {
    throw new Refused(`database: ${file} is a SQLite file, but not a Keyroster store: give another file`);
  }
  if (migrations === 0) return { version, usableFrom: version }; // an older schema
  const row = database.prepare('SELECT usable_from FROM migrations WHERE number = ?').get(version);
  return { version, usableFrom: Number(row?.usable_from ?? version) };
}

interface Header {
  readonly application_id: number;
  readonly user_version: number;
  readonly objects: number;
  /** 1 where the table is there. */
  readonly migrations: number;
}

function headerOf(database: DatabaseSync, file: string): Header {
  try {
    const sql = `SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) AS objects,
        (SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'migrations') AS migrations
      FROM pragma_application_id, pragma_user_version`;
    return database.prepare(sql).get() as unknown as Header;
  } catch (error) {
    throw new Refused(`database: can't read ${file}: ${(error as Error).message}`, { cause: error });
  }
}
