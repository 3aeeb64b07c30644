/** A database in whose schema `public` a stranger makes functions and operators that PostgreSQL prefers to its own. */

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { adoptionIn } from '../../../src/operator/adopt/open-adoption.ts';
import { checkStore } from '../../../src/operator/check-store.ts';
import { writerIn } from '../../../src/service/library/library.ts';
import { acts, given } from '../../support/acts.ts';
import { CREATE_TABLE, simpleMapping } from '../../support/adopted/simple-table.ts';
import { connect } from '../../support/connect.ts';
import { makeHostile } from '../../support/hostile-schema.ts';
import { putRecord } from '../../support/import-file.ts';
import { newStore, readerOf, recordsOf, writerOf } from '../../support/opened.ts';
import { databaseWithRoles, ROLES, rolesFile } from '../../support/postgres-roles.ts';
import { createOrganization, now } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';
import { atEndOf, suiteScope } from '../../support/scope.ts';
import { type StoreOfTests, storeAt, TEST_ACTOR } from '../../support/store-at.ts';
import { createDatabase } from '../../support/stores.ts';

describe("a stranger's functions and operators in the search path", () => {
  const scope = suiteScope();
  let url: string;
  let store: StoreOfTests;
  before(async () => {
    const database = await createDatabase();
    atEndOf(scope, database.remove);
    url = database.url;
    await runSql(url, CREATE_TABLE);
    await makeHostile(url);
    store = storeAt(url);
    await store.migrate();
  });

  test('are run by no act of an operator or of an issuer', async t => {
    const writer = await writerOf(t, store);
    for (const act of Object.values(acts)) await act(writer, await given(writer));
    await writer.listImports(null, null, 10);
  });

  test('are run by no page, admin key or readiness of a service', async t => {
    const writer = await writerOf(t, store);
    const { organization } = await given(writer);
    const reader = await readerOf(t, store);
    assert.equal((await recordsOf(reader, organization)).length, 3);
    await reader.findAdminKey(new Uint8Array(32), now());
    await reader.checkReadiness();
  });

  test("are run by no act in an issuer's own transaction, whose search path stays", async t => {
    const writer = await writerOf(t, store);
    if (!(await writer.listFields()).some(({ name }) => name === 'last_used_at'))
      await writer.addField({ name: 'last_used_at', type: { kind: 'timestamp' } });
    const { id } = await createOrganization(writer);
    const client = await connect(t, url);
    await client.query('BEGIN');
    const issuer = writerIn(client);
    await issuer.createOrganization({ name: 'Acme' });
    await issuer.put(id, [putRecord('k1'), putRecord('k2')]);
    await issuer.put(id, putRecord('k1', { name: 'New' }));
    await issuer.setStatus(id, 'k1', 'inactive');
    await issuer.recordUses(id, { id: 'k1', last_used_at: '2026-11-20T17:03:11.000001Z' });
    await issuer.revokeAdminKey((await issuer.createAdminKey(id, { workspace_id: 'wrkspc_1' })).id);
    await client.query('COMMIT');
    assert.deepEqual((await client.query('SHOW search_path')).rows, [{ search_path: '"$user", public' }]);
  });

  test('are run by nothing that looks at a store, or serves a table of the vendor', async () => {
    assert.deepEqual((await checkStore(store)).findings, []);
    await store.planMigration();
    await store.findIdentity();
    const reader = await store.openOperatorReader();
    await reader.readSnapshot(async () => {}).finally(() => reader.close());
    const adoption = await adoptionIn(store);
    await adoption.propose('public.apikey');
    assert.deepEqual(await adoption.examine(simpleMapping()), []);
    await adoption.apply(simpleMapping(), { actor: TEST_ACTOR, onStep: () => {} });
    assert.deepEqual((await checkStore(store)).findings, []);
    await adoption.remove(() => {});
  });
});

test('check names what an object of ours depends on outside of PostgreSQL and the schema keyroster', async t => {
  const { url } = await newStore(t);
  await runSql(
    url,
    `CREATE FUNCTION public.hashtextextended(text, integer) RETURNS bigint LANGUAGE sql IMMUTABLE RETURN 1;
     CREATE FUNCTION public.cardinality(inet[]) RETURNS integer LANGUAGE sql IMMUTABLE RETURN 1;
     CREATE OR REPLACE FUNCTION keyroster.listing(organization_id text, status text, workspace_id text, created_by_id text)
       RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN hashtextextended(organization_id, 0);
     ALTER TABLE keyroster.admin_keys ADD CONSTRAINT few CHECK (cardinality('{}'::inet[]) < 20);
     CREATE VIEW keyroster.own_report AS SELECT hashtextextended(id, 0) FROM keyroster.api_keys`,
  );
  assert.deepEqual(
    (await checkStore(storeAt(url))).findings.map(({ about, problem }) => `${about}: ${problem}`),
    [
      'schema: few on keyroster.admin_keys depends on function public.cardinality(pg_catalog.inet[])',
      'schema: keyroster.listing(pg_catalog.text,pg_catalog.text,pg_catalog.text,pg_catalog.text) depends on function public.hashtextextended(pg_catalog.text,integer)',
    ],
  );
});

test('the file of the roles runs none of them, and gives each role a path without them, unless it has one', async t => {
  const { administrator, administratorUrl, urls } = await databaseWithRoles(t);
  await makeHostile(administratorUrl);
  await administrator.query(`ALTER ROLE keyroster_operator IN DATABASE keyroster SET search_path = shop`);
  await administrator.query(rolesFile);
  const paths: unknown[] = [];
  for (const role of ROLES)
    paths.push((await (await connect(t, urls[role])).query('SHOW search_path')).rows[0].search_path);
  assert.deepEqual(paths, ['pg_catalog, pg_temp', 'pg_catalog, pg_temp', 'shop']);
});
