import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { waitFor } from '../roster/migration-waits.ts';
import { NO_SCHEMA, type Schemas } from '../roster/schema.ts';
import { openFile } from './connection.ts';
import { migrations, ownSchema } from './schema.ts';
import { requireSchema, schemaOf } from './schema-version.ts';

/** As many a second as SQLite puts into an index of several columns. */
const ROWS_A_SECOND = 500_000;

/** What `migrate` would do now, a line each. Only reads. */
export function planMigration(file: string): readonly string[] {
  return reading(file, database => {
    const version = database === null ? 0 : requireSchema(database, file, 'migrate');
    return migrations.slice(version).map(({ sql }, index) => {
      // Nobody uses a new store.
      const waits =
        version === 0 || database === null
          ? ''
          : `: writers wait ${waitIn(database, sql)}, readers don't wait`;
      return `migration ${version + index + 1}${waits}`;
    });
  });
}

/** The schemas of the store and of this release. Only reads. */
export function schemasOf(file: string): Schemas {
  const store = reading(file, database => (database === null ? NO_SCHEMA : schemaOf(database, file)));
  return { store, release: ownSchema() };
}

/** The work gets `null` where there is no file. */
function reading<T>(file: string, work: (database: DatabaseSync | null) => T): T {
  if (!existsSync(file)) return work(null);
  const database = openFile(file, { readOnly: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Of what a migration can contain, an index and a change of all rows read them all. */
const READS_ALL_KEYS = /\b(INDEX \w+\s+ON|UPDATE|FROM) api_keys\b/g;

function waitIn(database: DatabaseSync, sql: string): string {
  const times = sql.match(READS_ALL_KEYS)?.length ?? 0;
  const keys = times > 0 ? Number(database.prepare('SELECT count(*) AS keys FROM api_keys').get()?.keys) : 0;
  return waitFor(times * keys, ROWS_A_SECOND);
}
