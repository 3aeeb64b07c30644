import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newStore } from '../../support/opened.ts';
import { organizationIn, sqlite } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';
import type { Scope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import type { TestStore } from '../../support/stores.ts';

async function filledStore(scope: Scope): Promise<TestStore> {
  const store = await newStore(scope, sqlite);
  await organizationIn(store, numberedKeys(30));
  return store;
}

const INDEXES = [
  ['api_keys_status', /^pages filtered by status lack their index/],
  [
    'api_keys_workspace',
    /^pages filtered by workspace_id or filtered by status and workspace_id lack their index/,
  ],
  ['api_keys_creator', /^pages filtered by created_by_user_id or filtered by status and created_by_user_id/],
  ['api_keys_workspace_creator', /^pages filtered by workspace_id and created_by_user_id or/],
  ['api_keys_id', /^pages with after_id or before_id lack the index that finds the cursor/],
] as const;

for (const [name, problem] of INDEXES) {
  test(`check names what is slow without the index ${name}, and its statement mends it`, async t => {
    const store = await filledStore(t);
    await runSql(store.url, `DROP INDEX ${name}`);
    const { findings } = await store.check();
    assert.equal(findings.length, 1);
    assert.match(String(findings[0]?.problem), problem);
    assert.match(String(findings[0]?.fix), new RegExp(`^CREATE (UNIQUE )?INDEX ${name} ON api_keys \\(`));
    await runSql(store.url, String(findings[0]?.fix));
    assert.deepEqual((await store.check()).findings, []);
  });
}

test('check finds another index under the name of one, and its statements mend it', async t => {
  const store = await filledStore(t);
  await runSql(store.url, 'DROP INDEX api_keys_status');
  await runSql(store.url, 'CREATE INDEX api_keys_status ON api_keys (creator)');
  const { findings } = await store.check();
  assert.equal(findings.length, 1);
  const statements = String(findings[0]?.fix).split('; ');
  assert.equal(statements.length, 2);
  for (const statement of statements) await runSql(store.url, statement);
  assert.deepEqual((await store.check()).findings, []);
});

test('check finds records and organizations that something else has written', async t => {
  const store = await filledStore(t);
  await runSql(store.url, "UPDATE api_keys SET record = replace(record, 'sk-ven', 'sk ven') WHERE id < 'k2'");
  await runSql(store.url, 'DROP TRIGGER organizations_creation_never_changes');
  await runSql(store.url, "UPDATE organizations SET id = 'Example Ltd'");
  const { findings, looked } = await store.check();
  assert.equal(looked.keys, 30);
  assert.deepEqual(
    findings.map(({ about, problem, count }) => [about, problem.split(':')[0], count]),
    [
      ['rows', 'organization_id', 30],
      ['rows', 'partial_key_hint', 12],
    ],
  );
});
