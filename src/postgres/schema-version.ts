import type { Client } from 'pg';
import { Refused, StoreUnavailable } from '../roster/errors.ts';
import type { Connection } from './connection.ts';
import { migrations } from './schema.ts';

/** Refuses a database without this release's schema, and says what to do. */
export async function requireCurrentSchema(client: Client): Promise<void> {
  const version = await schemaVersion(client);
  if (version < migrations.length) {
    const why = version === 0 ? 'has no schema keyroster' : 'has the schema of an older release';
    throw new Refused(`database: it ${why}: run "keyroster migrate"`);
  }
}

/** How many migrations the database has; 0 for none at all. Refuses that of a newer release. */
export async function schemaVersion(client: Client): Promise<number> {
  const found = await client.query("SELECT to_regclass('keyroster.migrations')::text AS name");
  if (found.rows[0]?.name === null) return 0;
  const counted = await client.query('SELECT count(*) AS version FROM keyroster.migrations');
  const version = Number(counted.rows[0]?.version);
  if (version > migrations.length) {
    throw new Refused(
      `database: its schema is of a newer release (${version}, this one knows ${migrations.length}): update keyroster`,
    );
  }
  return version;
}

/** For the service while it runs: a migration of a newer release may come to the database under it. */
export async function checkReadiness(connection: Connection): Promise<void> {
  const text = 'SELECT count(*) FROM keyroster.migrations';
  const [row] = await connection.rows<[string]>({ name: 'keyroster_readiness', text, values: [] });
  const version = Number(row?.[0]);
  if (version !== migrations.length) {
    throw new StoreUnavailable(`PostgreSQL: schema ${version}, this release has ${migrations.length}`);
  }
}
