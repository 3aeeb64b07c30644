import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { openWriter, type Transaction, type Writer, writerIn } from '../../../src/service/library/library.ts';
import { connect, newPool } from '../../support/connect.ts';
import { putRecord } from '../../support/import-file.ts';
import { newStore } from '../../support/opened.ts';
import { skipBefore } from '../../support/postgres.ts';
import { databaseWithRoles } from '../../support/postgres-roles.ts';
import { lockIsWaitedFor, runSql } from '../../support/run-sql.ts';
import { atEndOf, suiteScope } from '../../support/scope.ts';
import type { TestStore } from '../../support/stores.ts';

describe("the issuer's own transaction", () => {
  const scope = suiteScope();
  let store: TestStore;
  let organization: string;
  before(async () => {
    store = await newStore(scope);
    const writer = await openWriter({ database: store.url });
    organization = (await writer.createOrganization({ name: 'Acme' })).id;
    await writer.close();
    const operator = await store.openWriter();
    await operator.addField({ name: 'last_used_at', type: { kind: 'timestamp' } });
    await operator.close();
  });
  const count = async (table: string) =>
    Number((await runSql(store.url, `SELECT count(*) FROM keyroster.${table}`))[0]?.count);

  /** All that a writer can do, with its own organization. */
  const everyAct = async (writer: Writer) => {
    const { id } = await writer.createOrganization({ name: 'Acme' });
    await writer.put(id, [putRecord('k1'), putRecord('k2')]);
    await writer.put(id, [putRecord('k1', { name: 'New' }), putRecord('k3')]);
    await writer.setStatus(id, 'k1', 'inactive');
    const used = { id: 'k1', last_used_at: '2026-11-20T17:03:11.000001Z' };
    assert.deepEqual(await writer.recordUses(id, used), { updated: 1, unchanged: 0 });
    assert.deepEqual(await writer.recordUses(id, [used]), { updated: 0, unchanged: 1 });
    const key = await writer.createAdminKey(id, { expires_at: '2990-01-01T00:00:00Z', networks: ['::1'] });
    await writer.revokeAdminKey(key.id);
  };

  test('gets statements with text only, in and out, under names that no library changes', {
    skip: skipBefore(16),
  }, async t => {
    const client = await connect(t, store.url);
    const seen = new Set<string>();
    const checked: Transaction = {
      query: async (text, values) => {
        seen.add(text);
        if (/SAVEPOINT/.test(text)) return client.query(text);
        await client.query(`PREPARE checked AS ${text}`);
        const { rows } = await client.query(
          `SELECT parameter_types::text[] AS parameters, coalesce(result_types, '{}')::text[] AS columns
           FROM pg_prepared_statements WHERE name = 'checked'`,
        );
        await client.query('DEALLOCATE checked');
        for (const type of [...rows[0].parameters, ...rows[0].columns]) assert.equal(type, 'text', text);
        const result = await client.query(text, values);
        const names = result.fields.map(({ name }) => name);
        assert.equal(new Set(names).size, names.length, text);
        for (const name of names) assert.match(name, /^[a-z]+\d*$/, text);
        return result;
      },
    };
    await client.query('BEGIN');
    await everyAct(writerIn(checked));
    await client.query('COMMIT');
    assert.ok(seen.size >= 12);
  });

  test('keeps its settings, whatever they are, and they change nothing that is written', async t => {
    const client = await connect(t, store.url);
    const settings = `
      SET search_path = ''; SET TimeZone = 'Pacific/Kiritimati'; SET DateStyle = 'German, DMY'; SET bytea_output = 'escape';
      SET standard_conforming_strings = off; SET IntervalStyle = 'sql_standard'; SET extra_float_digits = -15;
      SET statement_timeout = '60s'; SET default_transaction_isolation = 'repeatable read'`;
    // Those of the language of the triggers are there once one has run.
    const all = async () =>
      (await client.query("SELECT name, setting FROM pg_settings WHERE name !~ '^plpgsql' ORDER BY 1")).rows;
    await client.query(settings);
    await client.query('BEGIN');
    const settingsBefore = await all();
    const record = putRecord('k_settings', { name: 'back\\slash \\u0041' });
    for (const unchanged of [0, 1])
      assert.equal((await writerIn(client).put(organization, record)).unchanged, unchanged);
    await everyAct(writerIn(client));
    assert.deepEqual(await all(), settingsBefore);
    await client.query('COMMIT');
    const [row] = await runSql(store.url, "SELECT record FROM keyroster.api_keys WHERE id = 'k_settings'");
    assert.deepEqual(JSON.parse(String(row?.record)), record);
  });

  const DROPS: Record<string, string> = {
    'a trigger that returns NULL': `CREATE FUNCTION keyroster.drop_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER drop_row BEFORE INSERT ON keyroster.api_keys FOR EACH ROW EXECUTE FUNCTION keyroster.drop_row()`,
    'row security that hides keys': `INSERT INTO keyroster.api_keys (organization_id, id, name, created_by_id, created_by_type, partial_key_hint)
      SELECT id, 'k_dropped', '', 'u', 'user', 's...1' FROM keyroster.organizations;
      CREATE POLICY inserts ON keyroster.api_keys FOR INSERT WITH CHECK (true);
      CREATE POLICY hidden ON keyroster.api_keys FOR SELECT USING (created_by_id <> 'u');
      ALTER TABLE keyroster.api_keys ENABLE ROW LEVEL SECURITY; ALTER TABLE keyroster.api_keys FORCE ROW LEVEL SECURITY;
      CREATE ROLE no_rows; GRANT USAGE ON SCHEMA keyroster TO no_rows; GRANT ALL ON ALL TABLES IN SCHEMA keyroster TO no_rows; SET ROLE no_rows`,
  };
  for (const [what, sql] of Object.entries(DROPS))
    test(`is told that a key can't be put because of ${what}`, async t => {
      const client = await connect(t, store.url);
      await client.query(`BEGIN; ${sql}`);
      await assert.rejects(writerIn(client).put(organization, putRecord('k_dropped')), {
        name: 'Refused',
        message:
          /^database: 1 of these API keys is neither inserted nor found: a trigger or row-level security of keyroster\.api_keys drops/,
      });
      await client.query('ROLLBACK');
    });

  const PUTS = putRecord('k_kept');
  const UPDATES: Record<string, (writer: Writer) => Promise<unknown>> = {
    'a put': writer => writer.put(organization, { ...PUTS, name: 'New' }),
    'a status': writer => writer.setStatus(organization, 'k_kept', 'inactive'),
    'a use': writer =>
      writer.recordUses(organization, { id: 'k_kept', last_used_at: '2026-11-20T17:03:11.000001Z' }),
  };
  for (const [what, update] of Object.entries(UPDATES))
    test(`is told of ${what} that a trigger drops`, async t => {
      const client = await connect(t, store.url);
      await client.query('BEGIN');
      await writerIn(client).put(organization, PUTS);
      await client.query(`CREATE FUNCTION keyroster.keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
        CREATE TRIGGER keep BEFORE UPDATE ON keyroster.api_keys FOR EACH ROW EXECUTE FUNCTION keyroster.keep()`);
      await assert.rejects(update(writerIn(client)), {
        name: 'Refused',
        message: /^database: 1 of these API keys is not changed: a trigger or row-level security/,
      });
      await client.query('ROLLBACK');
    });

  test('is needed: without one, and by a pool, nothing is written', async t => {
    const client = await connect(t, store.url);
    const pool = newPool(store.url);
    atEndOf(t, () => pool.end());
    const before = [await count('api_keys'), await count('audit_log')];
    for (const none of [client, pool])
      await assert.rejects(writerIn(none).put(organization, putRecord('k_none')), {
        code: '25P01',
        message: 'SAVEPOINT can only be used in transaction blocks',
      });
    assert.deepEqual([await count('api_keys'), await count('audit_log')], before);
  });

  for (const end of ['COMMIT', 'ROLLBACK'])
    test(`that puts a new key makes another wait for its ${end}, which then decides`, async t => {
      const [first, second] = [await connect(t, store.url), await connect(t, store.url)];
      const record = putRecord(`k_both_${end}`);
      await first.query('BEGIN');
      await second.query('BEGIN');
      await writerIn(first).put(organization, record);
      const other = writerIn(second).put(organization, record);
      await lockIsWaitedFor(store.url);
      await first.query(end);
      const inserted = end === 'COMMIT' ? 0 : 1;
      assert.deepEqual(await other, { inserted, updated: 0, unchanged: 1 - inserted });
      await second.query('COMMIT');
    });
});

test('in a transaction of its own a role that is granted the issuer writes API keys and nothing else, and the operator all', async t => {
  const { administrator, urls, urlOf } = await databaseWithRoles(t);
  await administrator.query("INSERT INTO keyroster.organizations (id, name) VALUES ('org_1', 'One')");
  await administrator.query('CREATE ROLE my_app LOGIN; GRANT keyroster_issuer TO my_app');
  const issuing = await connect(t, await urlOf('my_app'));
  await issuing.query('BEGIN');
  const issuer = writerIn(issuing);
  await issuer.put('org_1', putRecord('k1'));
  for (const act of [
    issuer.createOrganization({ name: 'Two' }),
    issuer.createAdminKey('org_1'),
    issuer.revokeAdminKey('adminkey_1'),
  ])
    await assert.rejects(act, { code: '42501' });
  await issuer.setStatus('org_1', 'k1', 'inactive');
  await issuing.query('COMMIT');

  const operating = await connect(t, urls.operator);
  await operating.query('BEGIN');
  const operator = writerIn(operating, { actor: 'alice' });
  const { id } = await operator.createOrganization({ name: 'Two' });
  await operator.put(id, putRecord('k1'));
  await operator.revokeAdminKey((await operator.createAdminKey(id)).id);
  await operating.query('COMMIT');
  const { rows } = await administrator.query(
    "SELECT DISTINCT database_user FROM keyroster.audit_log WHERE actor = 'alice'",
  );
  assert.deepEqual(rows, [{ database_user: 'keyroster_operator' }]);
});
