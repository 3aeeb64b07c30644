import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { Client } from 'pg';
import { PipelinedConnection } from '../../src/postgres/serving/pipelined-connection.ts';
import { StoreUnavailable } from '../../src/roster/errors.ts';
import type { AdminKeyId } from '../../src/roster/identifier.ts';
import { firstKeys } from '../support/changing-roster.ts';
import { modelPage } from '../support/model.ts';
import { startPostgres } from '../support/postgres.ts';
import { createOrganization, importKeys, now } from '../support/roster.ts';
import { atEndOf, type Scope, suiteScope } from '../support/scope.ts';
import { startService } from '../support/service.ts';
import { storeAt } from '../support/store-at.ts';

const INSERT = `INSERT INTO keyroster.api_keys (organization_id, id, name, created_by_id, created_by_type, partial_key_hint)
  VALUES ('org_1', 'k', 'n', 'u', 'user', 'sk...1')`;

/** Statements that change something: refused to the reader role, and to every role over the service's connection. */
const WRITES = [
  INSERT,
  "UPDATE keyroster.api_keys SET name = ''",
  'DELETE FROM keyroster.admin_keys',
  'TRUNCATE keyroster.api_keys',
  "INSERT INTO keyroster.organizations (id, name) VALUES ('org_2', 'Two')",
  'INSERT INTO keyroster.migrations (number) VALUES (99)',
  'COPY keyroster.organizations FROM STDIN',
  'SELECT * INTO copied FROM keyroster.api_keys',
  'CREATE TABLE keyroster.other (a integer)',
  'CREATE TABLE other (a integer)',
  'CREATE INDEX ON keyroster.api_keys (name)',
  'CREATE SCHEMA other',
  'CREATE FUNCTION other() RETURNS integer LANGUAGE sql RETURN 1',
  'DROP TABLE keyroster.api_keys CASCADE',
  'DROP SCHEMA keyroster CASCADE',
  'ALTER TABLE keyroster.api_keys DISABLE TRIGGER guard_rows',
  'ALTER TABLE keyroster.api_keys ADD COLUMN other text',
  'ALTER TABLE keyroster.api_keys OWNER TO CURRENT_USER',
  "SELECT nextval('keyroster.counter')",
  'SELECT id FROM keyroster.api_keys FOR UPDATE',
  "SELECT lo_from_bytea(0, 'other')",
];
/** Statements that a read-only transaction allows and the roles don't. */
const ROLE_ONLY = [
  'CREATE TEMPORARY TABLE other (a integer)',
  'DO $$ BEGIN LOCK TABLE keyroster.api_keys IN ACCESS EXCLUSIVE MODE; END $$',
  'SET session_replication_role = replica',
  "COPY keyroster.api_keys TO '/tmp/other'",
  "COPY (SELECT 1) TO PROGRAM 'true'",
  'SELECT * FROM pg_authid',
];

describe('with the roles of docs/operations.md', () => {
  const scope = suiteScope();
  const urls = { administrator: '', reader: '', writer: '' };
  before(async () => {
    const server = await startPostgres();
    atEndOf(scope, () => server.stop());
    await (await connect(scope, `${server.url}/postgres`)).query('CREATE DATABASE keyroster');
    urls.administrator = `${server.url}/keyroster`;
    await storeAt(urls.administrator).migrate();
    const administrator = await connect(scope, urls.administrator);
    for (const sql of sqlOfSection('### Roles')) await administrator.query(sql);
    await administrator.query(`INSERT INTO keyroster.organizations (id, name) VALUES ('org_1', 'One');
      CREATE SEQUENCE keyroster.counter`);
    for (const role of ['reader', 'writer'] as const) {
      await administrator.query(`ALTER ROLE keyroster_${role} PASSWORD 'secret'`);
      const url = new URL(urls.administrator);
      Object.assign(url, { username: `keyroster_${role}`, password: 'secret' });
      urls[role] = url.href;
    }
  });

  test('the writer role can do everything that the commands do, and the reader role can serve it', async t => {
    const writer = await storeAt(urls.writer).openWriter();
    atEndOf(t, () => writer.close());
    const { id, secret } = await createOrganization(writer);
    assert.equal((await writer.findOrganization(id)).id, id);
    assert.ok((await writer.listOrganizations()).length >= 2);
    const keys = firstKeys(10);
    await importKeys(
      writer,
      id,
      keys.map(key => ({ ...key, name: 'before' })),
    );
    assert.equal((await importKeys(writer, id, keys)).updated, keys.length);
    const active = keys.flatMap(key => (key.status === 'active' ? [key.id] : []));
    assert.equal((await writer.setStatus(id, active, 'inactive')).changed, active.length);
    await writer.setStatus(id, active, 'active');

    const reader = await storeAt(urls.reader).openReader();
    atEndOf(t, () => reader.close());
    const service = await startService(reader);
    atEndOf(t, () => service.close());
    const expected = modelPage(keys, { limit: 20, cursor: null, filter: {} });
    assert.deepEqual((await service.list(secret)).body, expected);
    const [adminKey] = await writer.listAdminKeys(id);
    await writer.revokeAdminKey(adminKey?.id as AdminKeyId, now());
    assert.equal((await service.list(secret)).status, 401);
  });

  test("the reader role can't write", async t => {
    const client = await connect(t, urls.reader);
    for (const sql of [...WRITES, ...ROLE_ONLY]) await assertNotPrivileged(client, sql);
  });

  test("the writer role can't delete, change the schema, update what never changes, or write the migrations", async t => {
    const client = await connect(t, urls.writer);
    const allowed =
      /^INSERT INTO keyroster\.(api_keys|organizations)|^UPDATE|^COPY keyroster\.organizations|FOR UPDATE$|^CREATE TEMPORARY/;
    for (const sql of [...WRITES, ...ROLE_ONLY].filter(each => !allowed.test(each)))
      await assertNotPrivileged(client, sql);
    const columns = {
      organizations: ['id', 'name', 'created_at'],
      admin_keys: ['digest', 'id', 'organization_id', 'name', 'last_characters', 'created_at', 'expires_at'],
      api_keys: ['organization_id', 'id', 'created_at', 'created_by_id', 'created_by_type'],
      migrations: ['number', 'applied_at'],
    };
    for (const [table, names] of Object.entries(columns)) {
      await assertNotPrivileged(client, `DELETE FROM keyroster.${table}`);
      for (const name of names)
        await assertNotPrivileged(client, `UPDATE keyroster.${table} SET ${name} = ${name}`);
    }
  });

  test("the service's connection can't write, even as the administrator", async () => {
    const connection = new PipelinedConnection(urls.administrator);
    try {
      for (const [number, text] of WRITES.entries()) {
        await assert.rejects(
          connection.rows({ name: `write_${number}`, text, values: [] }),
          error => error instanceof StoreUnavailable && /read-only transaction/.test(error.message),
          text,
        );
      }
    } finally {
      await connection.close();
    }
  });
});

async function assertNotPrivileged(client: Client, sql: string): Promise<void> {
  await assert.rejects(client.query(sql), { code: '42501' }, sql); // insufficient_privilege
}

async function connect(scope: Scope, url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  atEndOf(scope, () => client.end());
  return client;
}

/** The `sql` blocks between this heading and the next. */
function sqlOfSection(heading: string): string[] {
  const docs = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [, after = ''] = docs.split(`\n${heading}\n`);
  const [section = ''] = after.split(/^#/m);
  const blocks = [...section.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, sql = '']) => sql);
  assert.ok(blocks.length > 0, `docs/operations.md has no SQL under ${heading}`);
  return blocks;
}
