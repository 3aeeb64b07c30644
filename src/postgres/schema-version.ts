import { Refused } from '../roster/errors.ts';
import { isUsable, NO_SCHEMA, type Schema, type SchemaUse, unusableSchema } from '../roster/schema.ts';
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

/** The number of migrations applied. Throws `Refused` where this release can't apply those that are missing. */
export async function schemaVersion(client: Statements): Promise<number> {
  const schema = await schemaOf(client);
  if (!isUsable(schema, ownSchema(), 'migrate')) throw unusableSchema(STORE, schema, ownSchema());
  return schema.version;
}

/** That of the database; its version is 0 where there is none. */
export async function schemaOf(client: Statements): Promise<Schema> {
  const found = await client.query("SELECT to_regclass('keyroster.migrations')::text AS name");
  if (found.rows[0]?.name === null) return NO_SCHEMA;
  const { rows } = await client.query(`SELECT ${MIGRATIONS} AS migrations`);
  return parseSchema(rows[0]?.migrations);
}

/** All, in their order, as JSON. The whole rows, as stores of other commits don't have all columns. */
export const MIGRATIONS = '(SELECT json_agg(step ORDER BY number)::text FROM keyroster.migrations AS step)';

interface MigrationRow {
  readonly number: number;
  readonly digest?: string;
  readonly usable_from?: number;
}

/** @param migrations `null` where there is none. */
export function parseSchema(migrations: string | null): Schema {
  const steps: readonly MigrationRow[] = JSON.parse(migrations ?? '[]');
  const version = steps.at(-1)?.number ?? 0;
  return {
    version,
    usableFrom: steps.at(-1)?.usable_from ?? version,
    digests: steps.map(({ digest = '' }) => digest),
  };
}
