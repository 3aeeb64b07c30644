import { hash } from 'node:crypto';
import { Refused } from '../../../shared/record/faults.ts';
import {
  isUsable,
  NO_SCHEMA,
  type Schema,
  type SchemaUse,
  schemaAfter,
  unusableSchema,
} from '../../roster/schema.ts';
import type { Statements } from '../statements.ts';
import { initial } from './0001-initial.ts';

/** A step of the schema. Each statement stands alone, as Citus refuses several at once. */
export interface Migration {
  /**
   * Run before the others, each outside of a transaction, while the service runs: indexes that are made or dropped
   * `CONCURRENTLY`, constraints that are validated. A run that was interrupted is repeated, so each can be: `IF [NOT]
   * EXISTS`.
   */
  readonly concurrently?: readonly string[];
  /**
   * Run in one transaction. It is repeated when a lock isn't free within a fraction of a second, so it may hold none for
   * long.
   */
  readonly statements: readonly string[];
  /**
   * The oldest schema whose release can read and write the store after this migration: that of the release before. `null`: no
   * release without this migration can.
   */
  readonly usableFrom: number | null;
}

/** In the order of their versions; `keyroster.migrations` has a row for each that is applied. Append only. */
export const migrations: readonly Migration[] = [initial];

/** The store keeps it. */
export const digestOf = ({ concurrently = [], statements }: Migration): string =>
  hash('sha256', [...concurrently, ...statements].join(''));

/** That of this release. */
export const ownSchema = (): Schema => schemaAfter(migrations, digestOf);

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
  const found = await client.query("SELECT pg_catalog.to_regclass('keyroster.migrations')::text AS name");
  if (found.rows[0]?.name === null) return NO_SCHEMA;
  const { rows } = await client.query(`SELECT ${MIGRATIONS} AS migrations`);
  return parseSchema(rows[0]?.migrations);
}

/** All, in their order, as JSON. The whole rows, as stores of other commits don't have all columns. */
const MIGRATIONS =
  '(SELECT pg_catalog.json_agg(step ORDER BY number)::text FROM keyroster.migrations AS step)';

interface MigrationRow {
  readonly number: number;
  readonly digest?: string;
  readonly usable_from?: number;
}

/** @param migrations `null` where there is none. */
function parseSchema(migrations: string | null): Schema {
  const steps: readonly MigrationRow[] = JSON.parse(migrations ?? '[]');
  const version = steps.at(-1)?.number ?? 0;
  return {
    version,
    usableFrom: steps.at(-1)?.usable_from ?? version,
    digests: steps.map(({ digest = '' }) => digest),
  };
}
