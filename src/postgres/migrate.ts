import type { Client } from 'pg';
import { openClient } from './connection.ts';
import { distribute } from './distribute.ts';
import { orRefused } from './errors.ts';
import { migrations } from './schema.ts';
import { schemaVersion } from './schema-version.ts';
import { inTransaction } from './transaction.ts';

/** Any number, the same for every Keyroster: "KeyRost" in ASCII. */
const LOCK = '21221573961933684';

/**
 * Brings the database to this release's schema, each step in a transaction. Two at once are safe: the second waits for
 * the first and finds the work done. Returns how many steps were applied.
 */
export async function migrate(url: string): Promise<number> {
  const client = await openClient(url);
  try {
    return await orRefused(async () => {
      await client.query(`SELECT pg_advisory_lock(${LOCK})`); // until the connection ends
      const version = await schemaVersion(client);
      for (const [index, step] of migrations.slice(version).entries())
        await apply(client, version + index + 1, step);
      await distribute(client);
      return migrations.length - version;
    });
  } finally {
    await client.end();
  }
}

function apply(client: Client, number: number, step: string): Promise<void> {
  return inTransaction(client, async () => {
    await client.query('CREATE SCHEMA IF NOT EXISTS keyroster');
    await client.query(`CREATE TABLE IF NOT EXISTS keyroster.migrations
      (number integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`);
    await client.query(step);
    await client.query('INSERT INTO keyroster.migrations (number) VALUES ($1)', [number]);
  });
}
