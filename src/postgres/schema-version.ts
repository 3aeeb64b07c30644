import type { Client } from 'pg';
import { Refused } from '../roster/errors.ts';
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
