import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../../src/service/stores.ts';
import { databaseWithSimpleTable, simpleMapping } from '../../support/adopted/simple-table.ts';
import { becomeNextRelease } from '../../support/next-release.ts';
import { atEndOf } from '../../support/scope.ts';
import { storeAt, TEST_ACTOR } from '../../support/store-at.ts';

test("over a vendor's own table the next release starts before its migration, and this one goes on after it; the view stays where it is", async t => {
  const { url, client } = await databaseWithSimpleTable(t);
  const store = storeAt(url);
  await (await store.adoption()).apply(simpleMapping(), {
    actor: TEST_ACTOR,

    onStep: () => {},
  });
  const reader = await store.openReader();
  atEndOf(t, () => reader.close());
  const takeBack = becomeNextRelease();
  try {
    await readsTeam(store);
    assert.equal(await store.migrate(), 2);
    const { rows } = await client.query(`SELECT relname, relkind FROM pg_class
      WHERE relnamespace = 'keyroster'::regnamespace AND relname LIKE '%api_keys' ORDER BY relname`);
    assert.deepEqual(rows, [
      { relname: 'api_keys', relkind: 'v' },
      { relname: 'own_api_keys', relkind: 'r' },
    ]);
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
