import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsToAdopt } from '../../../src/postgres/adoption/steps/steps.ts';
import { migrations } from '../../../src/postgres/schema.ts';
import type { Store } from '../../../src/stores.ts';
import { databaseWithSimpleTable, simpleMapping } from '../../support/adopted/simple-table.ts';
import { becomeNextRelease } from '../../support/next-release.ts';
import { atEndOf } from '../../support/scope.ts';
import { storeAt, TEST_ACTOR } from '../../support/store-at.ts';

test('migrate brings the schema of an adopted table up to date, and leaves the view where it is', async t => {
  const { url, client } = await databaseWithSimpleTable(t);
  await client.query('CREATE SCHEMA keyroster');
  await client.query(
    'CREATE TABLE keyroster.migrations (number integer PRIMARY KEY, applied_at timestamptz)',
  );
  const older = migrations.length - 1;
  for (const [index, migration] of migrations.slice(0, older).entries()) {
    for (const statement of migration.statements) await client.query(statement);
    await client.query('INSERT INTO keyroster.migrations VALUES ($1, now())', [index + 1]);
  }
  for (const { statements } of await stepsToAdopt(client, simpleMapping(), null))
    for (const statement of statements) await client.query(statement);

  assert.equal(await storeAt(url).migrate(), 1);
  const { rows } = await client.query(`SELECT relname, relkind FROM pg_class
    WHERE relnamespace = 'keyroster'::regnamespace AND relname LIKE '%api_keys' ORDER BY relname`);
  assert.deepEqual(rows, [
    { relname: 'api_keys', relkind: 'v' },
    { relname: 'own_api_keys', relkind: 'r' },
  ]);
  await readsTeam(storeAt(url));
});

test("over a vendor's own table the next release starts before its migration, and this one goes on after it", async t => {
  const { url } = await databaseWithSimpleTable(t);
  const store = storeAt(url);
  await (await store.adoption()).apply(simpleMapping(), {
    actor: TEST_ACTOR,
    role: undefined,
    onStep: () => {},
  });
  const reader = await store.openReader();
  atEndOf(t, () => reader.close());
  const takeBack = becomeNextRelease();
  try {
    await readsTeam(store);
    assert.equal(await store.migrate(), 2);
    await readsTeam(store);
  } finally {
    takeBack();
  }
  assert.deepEqual(await reader.checkReadiness(), []);
  await readsTeam(store);
});

async function readsTeam(store: Store): Promise<void> {
  const reader = await store.openReader();
  const page = await reader.listApiKeys('team_1' as never, { limit: 1, cursor: null, filter: {} });
  assert.equal(page?.items.length, 1);
  await reader.close();
}
