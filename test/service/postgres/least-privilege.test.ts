import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Client } from 'pg';
import { checkStore } from '../../../src/operator/check-store.ts';
import { parsePostgresUrl } from '../../../src/service/postgres/connecting/url.ts';
import { ReadPool } from '../../../src/service/postgres/pages/read-pool.ts';
import { StoreUnavailable } from '../../../src/service/roster/errors.ts';
import { connect } from '../../support/connect.ts';
import { blocksIn } from '../../support/doc-blocks.ts';
import { OWN_TABLE } from '../../support/own-table.ts';
import { skipBefore } from '../../support/postgres.ts';
import { type DatabaseWithRoles, databaseWithRoles, ROLES, type Role } from '../../support/postgres-roles.ts';
import { suiteScope } from '../../support/scope.ts';
import { storeAt } from '../../support/store-at.ts';

/** Every right on the tables that each role needs; without columns, on all of them. */
const RIGHTS: Readonly<Record<Role, readonly string[]>> = {
  reader: [
    'SELECT admin_keys',
    'SELECT api_keys',
    'SELECT disabled_organizations',
    'SELECT fields',
    'SELECT migrations',
    'SELECT store',
  ],
  issuer: [
    'INSERT api_keys',
    'INSERT audit_log (action, actor, details, organization_id, subject_id)',
    'INSERT import_statuses',
    'INSERT imports',
    'SELECT api_keys',
    'SELECT fields',
    'SELECT import_statuses',
    'SELECT imports',
    'SELECT migrations',
    'SELECT organizations',
    'SELECT store',
    'UPDATE api_keys (import, name, partial_key_hint, status, workspace_id)',
  ],
  operator: [
    'DELETE admin_keys',
    'DELETE api_keys',
    'DELETE disabled_organizations',
    'DELETE import_statuses',
    'DELETE imports',
    'DELETE organizations',
    'INSERT admin_keys',
    'INSERT api_keys',
    'INSERT audit_log (action, actor, details, organization_id, subject_id)',
    'INSERT disabled_organizations',
    'INSERT import_statuses',
    'INSERT imports',
    'INSERT organizations',
    'SELECT admin_keys',
    'SELECT api_keys',
    'SELECT audit_log',
    'SELECT disabled_organizations',
    'SELECT fields',
    'SELECT import_statuses',
    'SELECT imports',
    'SELECT migrations',
    'SELECT organizations',
    'SELECT store',
    'UPDATE admin_keys (expires_at, replaced_by, revoked_at)',
    'UPDATE api_keys (import, name, partial_key_hint, status, workspace_id)',
    'UPDATE imports (reverted_at)',
    'UPDATE organizations (deleted_at, disabled_at, name)',
    'UPDATE store (made)',
  ],
};

/** Statements that need a right on a column. They are only explained, which checks the right and changes nothing. */
const ON_COLUMNS = {
  SELECT: (table: string, column: string) => `EXPLAIN SELECT ${column} FROM keyroster.${table}`,
  INSERT: (table: string, column: string) =>
    `EXPLAIN INSERT INTO keyroster.${table} (${column}) VALUES (DEFAULT)`,
  UPDATE: (table: string, column: string) => `EXPLAIN UPDATE keyroster.${table} SET ${column} = DEFAULT`,
};
function locking(table: string): string {
  return `LOCK TABLE keyroster.${table} IN ACCESS EXCLUSIVE MODE`;
}
/** Statements that no role may do on any table. */
const ON_TABLES = [
  (table: string) => `TRUNCATE keyroster.${table}`,
  locking,
  (table: string) => `ALTER TABLE keyroster.${table} ADD COLUMN other text`,
  (table: string) => `ALTER TABLE keyroster.${table} DISABLE TRIGGER ALL`,
  (table: string) => `ALTER TABLE keyroster.${table} OWNER TO CURRENT_USER`,
  (table: string) => `CREATE INDEX ON keyroster.${table} ((1))`,
  (table: string) =>
    `CREATE TRIGGER other BEFORE INSERT ON keyroster.${table} EXECUTE FUNCTION keyroster.guard_api_keys()`,
  (table: string) => `DROP TABLE keyroster.${table} CASCADE`,
];
/** What else changes something, and no role may do. */
const CHANGES = [
  'CREATE TABLE keyroster.other (a integer)',
  'CREATE TABLE other (a integer)',
  'CREATE SCHEMA other',
  'CREATE FUNCTION other() RETURNS integer LANGUAGE sql RETURN 1',
  'DROP SCHEMA keyroster CASCADE',
  "SELECT nextval('keyroster.counter')",
];
/** What a read-only transaction allows, and no role may do. */
const ESCAPES = [
  'SET session_replication_role = replica',
  "COPY keyroster.api_keys TO '/tmp/other'",
  "COPY (SELECT 1) TO PROGRAM 'true'",
  'SELECT * FROM pg_authid',
];
/** What PostgreSQL lets every role do, so that other applications of the database keep it. */
const LET_TO_ALL = ['CREATE TEMPORARY TABLE other (a integer)', "SELECT lo_from_bytea(0, 'other')"];

describe('with the roles of deploy/postgres-roles.sql', () => {
  const scope = suiteScope();
  let database: DatabaseWithRoles;
  let columns: readonly { table: string; column: string }[];
  let tables: readonly string[];
  before(async () => {
    database = await databaseWithRoles(scope);
    await database.administrator.query('CREATE SEQUENCE keyroster.counter');
    const { rows } = await database.administrator.query(
      `SELECT relname AS table, attname AS column FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
       WHERE relnamespace = 'keyroster'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
       ORDER BY 1, 2`,
    );
    columns = rows;
    tables = [...new Set(columns.map(({ table }) => table))];
  });

  for (const role of ROLES) {
    test(`the ${role} has the rights on the tables that it needs, and no other`, async t => {
      const client = await connect(t, database.urls[role]);
      const rights: string[] = [];
      for (const [right, statement] of Object.entries(ON_COLUMNS))
        for (const table of tables) {
          const all = columns.filter(each => each.table === table).map(({ column }) => column);
          const allowed: string[] = [];
          for (const column of all)
            if (await isAllowed(client, statement(table, column))) allowed.push(column);
          if (allowed.length === all.length) rights.push(`${right} ${table}`);
          else if (allowed.length > 0) rights.push(`${right} ${table} (${allowed.join(', ')})`);
        }
      for (const table of tables)
        if (await isAllowed(client, `EXPLAIN DELETE FROM keyroster.${table}`)) rights.push(`DELETE ${table}`);
      assert.deepEqual(rights.sort(), RIGHTS[role]);
    });

    test(`the ${role} can't truncate, lock or change a table, make anything in a schema, or get around its rights`, async t => {
      const client = await connect(t, database.urls[role]);
      // PostgreSQL lets a role lock what it may delete.
      const isGranted = (sql: string) =>
        RIGHTS[role].some(right => right.startsWith('DELETE ') && sql === locking(right.slice(7)));
      const onTables = tables
        .flatMap(table => ON_TABLES.map(statement => statement(table)))
        .filter(sql => !isGranted(sql));
      for (const sql of [...onTables, ...CHANGES, ...ESCAPES])
        assert.equal(await isAllowed(client, sql), false, sql);
    });
  }

  test("the service's connection can't write, even as the administrator", async () => {
    const onTables = tables.flatMap(table => ON_TABLES.map(statement => statement(table)));
    const writes = [
      ...tables.map(table => `DELETE FROM keyroster.${table}`),
      "INSERT INTO keyroster.organizations (id, name) VALUES ('org_2', 'Two')",
      "UPDATE keyroster.api_keys SET name = ''",
      'COPY keyroster.organizations FROM STDIN',
      'SELECT * INTO copied FROM keyroster.api_keys',
      'SELECT id FROM keyroster.api_keys FOR UPDATE',
      ...(skipBefore(16) ? [] : ["SELECT lo_from_bytea(0, 'other')"]),
      ...onTables.filter(sql => !sql.startsWith('LOCK')), // which nothing but a transaction block may
      ...CHANGES,
    ];
    const pool = new ReadPool(parsePostgresUrl(database.administratorUrl), {
      hasCitus: false,
      table: OWN_TABLE,
    });
    try {
      for (const [number, text] of writes.entries()) {
        await assert.rejects(
          pool.lookups.rows({ name: `write_${number}`, text, values: [] }),
          error => error instanceof StoreUnavailable && /read-only transaction/.test(error.message),
          text,
        );
      }
    } finally {
      await pool.close();
    }
  });

  test('the reader may make temporary tables and large objects, until the operator forbids that as docs/postgresql.md shows', async t => {
    const reader = await connect(t, database.urls.reader);
    for (const sql of LET_TO_ALL) assert.equal(await isAllowed(reader, sql), true, sql);
    const block = blocksIn('docs/postgresql.md').find(({ text }) => text.startsWith('REVOKE TEMPORARY'));
    await database.administrator.query(String(block?.text));
    for (const sql of LET_TO_ALL) assert.equal(await isAllowed(reader, sql), false, sql);
    for (const role of ['issuer', 'operator'] as const) {
      const client = await connect(t, database.urls[role]);
      assert.equal(
        await isAllowed(client, 'CREATE TEMPORARY TABLE other (a integer)'),
        true,
        'imports need it',
      );
    }
  });

  test('check finds the same as the reader as it does for the owner, and says which right is missing', async () => {
    const [reader, owner] = [storeAt(database.urls.reader), storeAt(database.administratorUrl)];
    assert.deepEqual((await checkStore(reader)).findings, []);
    await database.administrator.query('DROP INDEX keyroster.api_keys_listing');
    const { findings } = await checkStore(reader);
    assert.deepEqual(findings, (await checkStore(owner)).findings);
    assert.equal(findings.length, 1);
    await database.administrator.query('REVOKE SELECT ON keyroster.api_keys FROM keyroster_reader');
    await assert.rejects(checkStore(reader), /permission denied for table api_keys/);
  });
});

/** Whether the role may do this. Whatever it does is rolled back. That the reader only reads is also a setting, which it can change. */
async function isAllowed(client: Client, sql: string): Promise<boolean> {
  await client.query('BEGIN READ WRITE');
  try {
    await client.query(sql);
    return true;
  } catch (error) {
    assert.equal((error as { code?: string }).code, '42501', `${sql}: ${error}`); // insufficient_privilege
    return false;
  } finally {
    await client.query('ROLLBACK');
  }
}
