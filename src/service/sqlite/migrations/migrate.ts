import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makePrivateFolder } from '../../../shared/files.ts';
import { Refused } from '../../../shared/record/faults.ts';
import type { Actor } from '../../roster/actor.ts';
import { DOES_THE_REST, NO_SCHEMA, plannedMigrations, type Schemas } from '../../roster/schema.ts';
import { migrated } from '../../roster/writes/audited-acts.ts';
import { inTransaction, openFile, refuseSpecialFile, withDatabase } from '../connection.ts';
import { orRefused, problemAt } from '../errors.ts';
import { createOwnerOnlyFile } from '../store-file.ts';
import { useWriteAheadLog } from '../write-ahead-log.ts';
import { recorder } from '../writes/audit-log.ts';
import { APPLICATION_ID, digestOf, migrations, ownSchema, requireSchema, schemaOf } from './schema.ts';

/**
 * Applies the migrations that this store lacks, each in its transaction, as others write between them. Creates the file if it doesn't
 * exist. Two processes may run this at once: each waits for the other and applies what is left. Records each in the audit log.
 * Returns the number of migrations applied. Throws `Refused`, and `StoreLocked` when another process writes for longer than this.
 */
export async function migrate(file: string, actor: Actor, waitMs?: number): Promise<number> {
  createFile(file);
  const database = await orRefused(waitMs, () => openAnyVersion(file, waitMs));
  return withDatabase(database, async () => {
    for (let applied = 0; ; applied += 1) {
      const apply = () => inTransaction(database, () => applyNext(database, file, actor));
      if (!(await orRefused(waitMs, apply, applied > 0 ? DOES_THE_REST : undefined))) return applied;
    }
  });
}

/** What `migrate` would do now, a line each. Only reads. */
export async function planMigration(file: string): Promise<readonly string[]> {
  const version = await reading(file, database =>
    database === null ? 0 : requireSchema(database, file, 'migrate'),
  );
  return plannedMigrations(version, migrations.length);
}

/** The schemas of the store and of this release. Only reads. */
export async function schemasOf(file: string): Promise<Schemas> {
  const store = await reading(file, database => (database === null ? NO_SCHEMA : schemaOf(database, file)));
  return { store, release: ownSchema() };
}

/** The work gets `null` where there is no file. */
async function reading<T>(file: string, work: (database: DatabaseSync | null) => T): Promise<T> {
  return existsSync(file) ? withDatabase(openFile(file, { readOnly: true }), work) : work(null);
}

function openAnyVersion(file: string, waitMs: number | undefined): DatabaseSync {
  const database = openFile(file, { readOnly: false, waitMs });
  try {
    requireSchema(database, file, 'migrate'); // before the first write: the file may not be a store
    useWriteAheadLog(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Returns whether there was one. */
function applyNext(database: DatabaseSync, file: string, actor: Actor): boolean {
  const version = requireSchema(database, file, 'migrate');
  const migration = migrations[version];
  if (migration === undefined) return false;
  const number = version + 1;
  database.exec(migration.sql);
  recorder(database, actor)(migrated(number));
  database
    .prepare('INSERT INTO migrations (number, digest, usable_from) VALUES (?, ?, ?)')
    .run(number, digestOf(migration), migration.usableFrom ?? number);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${number}`);
  return true;
}

function createFile(file: string): void {
  try {
    makePrivateFolder(dirname(file));
    refuseSpecialFile(file);
    createOwnerOnlyFile(file);
  } catch (error) {
    throw new Refused(`database: can't create ${file}: ${problemAt(file, error)}`, { cause: error });
  }
}
