import { Refused } from '../roster/errors.ts';
import { isUsable, type Schema, type SchemaUse, unusableSchema } from '../roster/schema.ts';
import { ownSchema } from './schema.ts';
import type { Statements } from './statements.ts';

/** Messages don't name the URL, which may contain a password. */
const STORE = 'this database';

/** Throws `Refused` when this release can't use the database so. */
export async function requireSchema(client: Statements, use: SchemaUse): Promise<void> {
  const schema = await schemaOf(client);
  if (schema.version === 0)
    throw new Refused('database: it has no schema keyroster: run "keyroster migrate"');
  if (!isUsable(schema, ownSchema(), use)) throw unusableSchema(STORE, schema, ownSchema());
}

/** The number of migrations applied. Throws `Refused` for the schema of a newer release, unless this one can use it. */
export async function schemaVersion(client: Statements): Promise<number> {
  const schema = await schemaOf(client);
  const { version } = ownSchema();
  if (schema.version > version && !isUsable(schema, ownSchema(), 'write'))
    throw unusableSchema(STORE, schema, ownSchema());
  return schema.version;
}

/** That of the database; its version is 0 where there is none. */
export async function schemaOf(client: Statements): Promise<Schema> {
  const found = await client.query("SELECT to_regclass('keyroster.migrations')::text AS name");
  if (found.rows[0]?.name === null) return { version: 0, usableFrom: 0 };
  const { rows } = await client.query(
    `SELECT ${LATEST_MIGRATION.version}::text AS version, ${LATEST_MIGRATION.usableFrom} AS usable`,
  );
  return parseSchema(rows[0]?.version, rows[0]?.usable);
}

/** The whole row, since older schemas have no column `usable_from`. */
export const LATEST_MIGRATION = {
  version: '(SELECT coalesce(max(number), 0) FROM keyroster.migrations)',
  usableFrom:
    "(SELECT to_jsonb(migration) ->> 'usable_from' FROM keyroster.migrations AS migration ORDER BY number DESC LIMIT 1)",
} as const;

export function parseSchema(version: string, usableFrom: string | null): Schema {
  return { version: Number(version), usableFrom: Number(usableFrom ?? version) };
}
