import { Refused } from '../roster/errors.ts';
import { newerSchema, olderSchema } from '../roster/refusals.ts';
import { migrations } from './schema.ts';
import type { Statements } from './statements.ts';

/** Messages don't name the URL, which may contain a password. */
const STORE = 'this database';

/** Throws `Refused` when the database doesn't have this release's schema. */
export async function requireCurrentSchema(client: Statements): Promise<void> {
  const version = await schemaVersion(client);
  if (version === 0) throw new Refused('database: it has no schema keyroster: run "keyroster migrate"');
  if (version < migrations.length) throw olderSchema(STORE);
}

/** The number of migrations applied. Throws `Refused` for the schema of a newer release. */
export async function schemaVersion(client: Statements): Promise<number> {
  const found = await client.query("SELECT to_regclass('keyroster.migrations')::text AS name");
  if (found.rows[0]?.name === null) return 0;
  const counted = await client.query('SELECT count(*)::text AS version FROM keyroster.migrations');
  const version = Number(counted.rows[0]?.version);
  if (version > migrations.length) throw newerSchema(STORE, version, migrations.length);
  return version;
}
