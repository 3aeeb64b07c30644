import type { Client } from 'pg';
import type { Actor } from '../roster/actor.ts';
import { migrated } from '../roster/audited-acts.ts';
import { Refused } from '../roster/errors.ts';
import { withOwnTable } from './adoption/own-table.ts';
import { record } from './audit-log.ts';
import type { PostgresUrl } from './connecting/url.ts';
import { openClient } from './connection.ts';
import { distribute } from './distribute.ts';
import { orRefused, RUN_AGAIN } from './errors.ts';
import { takeMigrationLock } from './migration-lock.ts';
import { migrations } from './schema.ts';
import { schemaVersion } from './schema-version.ts';
import { inTransaction } from './transaction.ts';

/**
 * Applies the migrations that this database lacks, each in its transaction. Two processes may run this at once: the second
 * waits and has nothing left to apply; `onWaiting` is told when that takes long. Records each in the audit log, those before
 * the one that made the log in its transaction; who applied a step in an earlier run isn't known. Returns the number of
 * migrations applied.
 */
export async function migrate(
  url: PostgresUrl,
  actor: Actor,
  onWaiting: (message: string) => void = () => {},
): Promise<number> {
  const client = await openClient(url);
  try {
    return await orRefused(async () => {
      await requireUtf8(client);
      await takeMigrationLock(client, onWaiting);
      const version = await schemaVersion(client);
      let unrecorded: number[] = [];
      for (const [index, migration] of migrations.slice(version).entries()) {
        const number = version + index + 1;
        unrecorded = await apply(client, actor, number, migration, [...unrecorded, number]);
      }
      await distribute(client);
      return migrations.length - version;
    }, RUN_AGAIN);
  } finally {
    await client.end();
  }
}

/** In another encoding some names can't be stored, or are stored as bytes that nothing checks. */
async function requireUtf8(client: Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8')
    throw new Refused(
      `database: its encoding is ${encoding}, which can't store every name: create it with ENCODING 'UTF8' TEMPLATE template0`,
    );
}

/** Returns the numbers that there is no audit log for yet. */
function apply(
  client: Client,
  actor: Actor,
  number: number,
  migration: string,
  unrecorded: readonly number[],
): Promise<number[]> {
  return inTransaction(client, async () => {
    await client.query('CREATE SCHEMA IF NOT EXISTS keyroster');
    await client.query(`CREATE TABLE IF NOT EXISTS keyroster.migrations
      (number integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`);
    await withOwnTable(client, () => client.query(migration));
    await client.query('INSERT INTO keyroster.migrations (number) VALUES ($1)', [number]);
    const log = await client.query("SELECT to_regclass('keyroster.audit_log')::text AS name");
    if (log.rows[0]?.name === null) return [...unrecorded];
    for (const step of unrecorded) await record(client, actor, migrated(step));
    return [];
  });
}
