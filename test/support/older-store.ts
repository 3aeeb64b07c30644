/** Stores made by release 0.1.0; test/fixtures/README.md describes their contents. */
import { copyFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ApiKeyRecord } from '../../src/roster/api-key-record.ts';
import { runSql } from './run-sql.ts';
import { atEndOf, type Scope } from './scope.ts';
import { postgres, type StoreKind, sqlite, type TestStore } from './stores.ts';

export interface OlderStoreKind {
  readonly name: string;
  /** Creates a copy that isn't migrated. */
  create(scope: Scope): Promise<TestStore>;
  /** Creates a store with the current code. */
  createCurrent(scope: Scope): Promise<TestStore>;
  /** All parts of the schema. */
  schemaOf(store: TestStore): Promise<unknown>;
  readonly adminKeys: readonly OlderAdminKey[];
}

interface OlderAdminKey {
  readonly organization_id: string;
  readonly name: string;
  readonly secret: string;
}

interface Expected {
  /** The records of each organization, newest first. */
  readonly records: {
    readonly org_birch: readonly ApiKeyRecord[];
    readonly org_alder: readonly ApiKeyRecord[];
  };
  readonly admin_keys: Readonly<Record<'sqlite' | 'postgres', readonly OlderAdminKey[]>>;
}

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
const expected: Expected = JSON.parse(readFileSync(fixture('records-0.1.0.json'), 'utf8'));
export const olderRecords = expected.records;

async function createCurrent(kind: StoreKind, scope: Scope): Promise<TestStore> {
  const store = await kind.create();
  atEndOf(scope, () => store.remove());
  return store;
}

const olderSqlite: OlderStoreKind = {
  name: sqlite.name,
  adminKeys: expected.admin_keys.sqlite,
  createCurrent: scope => createCurrent(sqlite, scope),
  create: async scope => {
    const store = await createCurrent(sqlite, scope);
    copyFileSync(fixture('sqlite-0.1.0.db'), fileOf(store));
    return store;
  },
  schemaOf: store => runSql(store.url, SQLITE_SCHEMA),
};

const SQLITE_SCHEMA = 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name';

const fileOf = ({ url }: TestStore) => url.slice('sqlite:'.length);

const olderPostgres: OlderStoreKind = {
  name: postgres.name,
  adminKeys: expected.admin_keys.postgres,
  createCurrent: scope => createCurrent(postgres, scope),
  create: async scope => {
    const store = await createCurrent(postgres, scope);
    await runSql(store.url, 'DROP SCHEMA keyroster CASCADE');
    await runSql(store.url, readFileSync(fixture('postgres-0.1.0.sql'), 'utf8'));
    return store;
  },
  schemaOf: store => runSql(store.url, POSTGRES_SCHEMA),
};

/** Columns, constraints, indexes, functions and triggers, as PostgreSQL prints them. */
const POSTGRES_SCHEMA = `
  WITH tables AS (
    SELECT oid, relname FROM pg_class WHERE relnamespace = 'keyroster'::regnamespace AND relkind = 'r'
  )
  SELECT relname AS part, attname AS name,
    concat_ws(' ', format_type(atttypid, atttypmod), attcollation, pg_get_expr(adbin, adrelid)) AS definition
  FROM tables JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  UNION ALL SELECT relname, conname, pg_get_constraintdef(pg_constraint.oid)
  FROM tables JOIN pg_constraint ON conrelid = tables.oid
  UNION ALL SELECT relname, tgname, pg_get_triggerdef(pg_trigger.oid)
  FROM tables JOIN pg_trigger ON tgrelid = tables.oid AND NOT tgisinternal
  UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'keyroster'
  UNION ALL SELECT 'function', proname, pg_get_functiondef(oid)
  FROM pg_proc WHERE pronamespace = 'keyroster'::regnamespace
  ORDER BY 1, 2, 3`;

export const olderStoreKinds: readonly OlderStoreKind[] = [olderSqlite, olderPostgres];
