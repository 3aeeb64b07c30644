import type { Client } from 'pg';
import { openClient } from './connection.ts';
import { distribute } from './distribute.ts';
import { orRefused } from './errors.ts';
import { migrations } from './schema.ts';
import { schemaVersion } from './schema-version.ts';
import { inTransaction } from './transaction.ts';

/** An arbitrary number that all processes share: "KeyRost" in ASCII. */
const ADVISORY_LOCK = '21221573961933684';

/**
 * Applies the migrations that this database lacks, each in its transaction. Two processes may run this at once: the second
 * waits and has nothing left to apply. Returns the number of migrations applied.
 */
export async function migrate(url: string): Promise<number> {
  const client = await openClient(url);
  try {
    return await orRefused(async () => {
      await client.query(`SELECT pg_advisory_lock(${ADVISORY_LOCK})`); // until the connection ends
      const version = await schemaVersion(client);
      for (const [index, migration] of migrations.slice(version).entries())
        await apply(client, version + index + 1, migration);
      await distribute(client);
      return migrations.length - version;
    });
  } finally {
    await client.end();
  }
}

function apply(client: Client, number: number, migration: string): Promise<void> {
  return inTransaction(client, async () => {
    await client.query('CREATE SCHEMA IF NOT EXISTS keyroster');
    await client.query(`CREATE TABLE IF NOT EXISTS keyroster.migrations
      (number integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`);
    await client.query(migration);
    await client.query('INSERT INTO keyroster.migrations (number) VALUES ($1)', [number]);
  });
}
