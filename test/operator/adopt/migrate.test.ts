import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { databaseWithSimpleTable, mappingJson } from '../../support/adopted/simple-table.ts';
import { adopt } from '../../support/adopted/vendor-database.ts';
import { becomeNextRelease } from '../../support/next-release.ts';
import { readerOf, recordsOf } from '../../support/opened.ts';
import { storeAt } from '../../support/store-at.ts';

test("over a vendor's own table the next release starts before its migration, and this one goes on after it; the view stays where it is", async t => {
  const { url, client } = await databaseWithSimpleTable(t);
  const store = storeAt(url);
  await adopt(url, mappingJson);
  const reader = await readerOf(t, store);
  const readsTeam = async () =>
    assert.ok((await recordsOf(await readerOf(t, store), 'team_1' as OrganizationId)).length > 0);
  const takeBack = becomeNextRelease();
  try {
    await readsTeam();
    assert.equal(await store.migrate(), 2);
    const { rows } = await client.query(`SELECT relname, relkind FROM pg_class
      WHERE relnamespace = 'keyroster'::regnamespace AND relname LIKE '%api_keys' ORDER BY relname`);
    assert.deepEqual(rows, [
      { relname: 'api_keys', relkind: 'v' },
      { relname: 'own_api_keys', relkind: 'r' },
    ]);
    await readsTeam();
  } finally {
    takeBack();
  }
  assert.deepEqual(await reader.checkReadiness(), []);
  await readsTeam();
});
