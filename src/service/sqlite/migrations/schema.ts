import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { Refused } from '../../../shared/record/faults.ts';
import {
  isUsable,
  NO_SCHEMA,
  type Schema,
  type SchemaUse,
  schemaAfter,
  unusableSchema,
} from '../../roster/schema.ts';
import { initial } from './0001-initial.ts';

/** "KeyR" in ASCII. SQLite stores it in the file's header, which tells a Keyroster store from other files. */
export const APPLICATION_ID = 0x4b657952;

/** A step of the schema, applied in one transaction: while that runs, all who write wait. */
export interface Migration {
  readonly sql: string;
  /**
   * The oldest schema whose release can read and write the store after this migration: that of the release before. `null`: no
   * release without this migration can.
   */
  readonly usableFrom: number | null;
}

/** In the order of their versions; the file's `user_version` counts those applied. Append only. */
export const migrations: readonly Migration[] = [{ sql: initial, usableFrom: null }];

/** The store keeps it. */
export const digestOf = ({ sql }: Migration): string => hash('sha256', sql);

/** That of this release. */
export const ownSchema = (): Schema => schemaAfter(migrations, digestOf);

/** Returns the number of migrations applied; 0 for an empty file. Throws `Refused` when it isn't a store that this release can use so. */
export function requireSchema(database: DatabaseSync, file: string, use: SchemaUse): number {
  const schema = schemaOf(database, file);
  if (!isUsable(schema, ownSchema(), use)) throw unusableSchema(file, schema, ownSchema());
  return schema.version;
}

/** That of the store; its version is 0 for an empty file. Throws `Refused` for another application's file. */
export function schemaOf(database: DatabaseSync, file: string): Schema {
  const { application_id, user_version: version, objects, encoding, hasDigests } = headerOf(database, file);
  const empty = application_id === 0 && version === 0 && objects === 0;
  if (application_id !== APPLICATION_ID && !empty) {
    throw new Refused(`database: ${file} is a SQLite file, but not a Keyroster store: give another file`);
  }
  // Pages are sent as the bytes that are stored.
  if (encoding !== 'UTF-8') {
    throw new Refused(
      `database: the texts in ${file} are ${encoding}, and a store has UTF-8: give another file`,
    );
  }
  if (hasDigests === 0) return { ...NO_SCHEMA, version };
  const steps = database.prepare('SELECT digest, usable_from FROM migrations ORDER BY number').all();
  return {
    version,
    usableFrom: Number(steps[version - 1]?.usable_from ?? version),
    digests: steps.map(({ digest }) => String(digest)),
  };
}

interface Header {
  readonly application_id: number;
  readonly user_version: number;
  readonly objects: number;
  readonly encoding: string;
  /** 1 where the store keeps them. */
  readonly hasDigests: number;
}

function headerOf(database: DatabaseSync, file: string): Header {
  try {
    const sql = `SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) AS objects, encoding,
        (SELECT count(*) FROM pragma_table_info('migrations') WHERE name = 'digest') AS hasDigests
      FROM pragma_application_id, pragma_user_version, pragma_encoding`;
    return database.prepare(sql).get() as unknown as Header;
  } catch (error) {
    throw new Refused(`database: can't read ${file}: ${(error as Error).message}`, { cause: error });
  }
}
