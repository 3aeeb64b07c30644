import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Actor } from '../roster/actor.ts';
import { migrated } from '../roster/audited-acts.ts';
import { Refused } from '../roster/errors.ts';
import { recorder } from './audit-log.ts';
import { openFile, refuseSpecialFile } from './connection.ts';
import { orRefused } from './errors.ts';
import { createOwnerOnlyFile, OWNER_ONLY_FOLDER_MODE } from './owner-only-file.ts';
import { APPLICATION_ID, digestOf, migrations, ownSchema } from './schema.ts';
import { requireSchema } from './schema-version.ts';
import { requireOwnLog } from './store-file.ts';
import { inTransaction } from './transaction.ts';
import { useWriteAheadLog } from './write-ahead-log.ts';

/**
 * Applies the migrations that this store lacks, each in its transaction, as others write between them. Creates the file if it doesn't
 * exist. Two processes may run this at once: each waits for the other and applies what is left. Records each in the audit log. Returns the number of migrations applied. Throws `Refused`, and `StoreLocked` when another process writes for
 * longer than this.
 */
export async function migrate(file: string, actor: Actor, waitMs?: number): Promise<number> {
  createFile(file);
  const database = await orRefused(waitMs, () => openAnyVersion(file, waitMs));
  try {
    for (let applied = 0; ; ) {
      const apply = () => inTransaction(database, () => applyNext(database, file, actor));
      const more = await orRefused(waitMs, apply, outcomeAfter(applied));
      if (more === 0) return applied;
      applied += more;
    }
  } finally {
    database.close();
  }
}

function openAnyVersion(file: string, waitMs: number | undefined): DatabaseSync {
  requireOwnLog(file, waitMs);
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

function outcomeAfter(applied: number): string | undefined {
  if (applied === 0) return undefined;
  return `done already: ${applied} migration(s); run "keyroster migrate" again, which does the rest`;
}

/** Returns how many were applied. */
function applyNext(database: DatabaseSync, file: string, actor: Actor): number {
  const version = requireSchema(database, file, 'migrate');
  const next = migrations.slice(version, isInUse(version) ? version + 1 : undefined);
  for (const { sql } of next) database.exec(sql);
  if (next.length === 0) return 0;
  const record = recorder(database, actor);
  const insert = database.prepare('INSERT INTO migrations (number, digest, usable_from) VALUES (?, ?, ?)');
  for (const [index, migration] of next.entries()) {
    const number = version + index + 1;
    record(migrated(number));
    insert.run(number, digestOf(migration), migration.usableFrom ?? number);
  }
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version + next.length}`);
  return next.length;
}

/** Whether a release may go on using the store meanwhile. A new store, and one that is older, gets all migrations in one transaction. */
const isInUse = (version: number) => version >= ownSchema().usableFrom;

function createFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER_MODE });
    refuseSpecialFile(file);
    createOwnerOnlyFile(file);
  } catch (error) {
    throw new Refused(`database: can't create ${file}: ${(error as Error).message}`, { cause: error });
  }
}
