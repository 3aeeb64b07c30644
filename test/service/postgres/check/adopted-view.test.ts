import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Mapping } from '../../../../src/service/postgres/vendor-table/mapping.ts';
import { databaseWithSimpleTable, simpleMapping, TABLE } from '../../../support/adopted/simple-table.ts';
import type { VendorDatabase } from '../../../support/adopted/vendor-database.ts';
import { suiteScope } from '../../../support/scope.ts';
import { storeAt, TEST_ACTOR } from '../../../support/store-at.ts';

const FIX = 'keyroster adopt --mapping FILE --apply';

describe('check of a view whose mapping names something else since', () => {
  const scope = suiteScope();
  let database: VendorDatabase;
  const adopt = async (mapping: Mapping) =>
    (await storeAt(database.url).adoption()).apply(mapping, {
      actor: TEST_ACTOR,

      onStep: () => {},
    });
  const check = () => storeAt(database.url).check();
  before(async () => {
    database = await databaseWithSimpleTable(scope);
    await adopt(simpleMapping());
  });

  const swaps: [what: string, swap: string, back: string, columns: string[]][] = [
    [
      'another table has its name',
      `ALTER TABLE ${TABLE} RENAME TO apikey_old; CREATE TABLE ${TABLE} (LIKE apikey_old)`,
      `DROP TABLE ${TABLE}; ALTER TABLE apikey_old RENAME TO apikey`,
      ['team', 'id', 'name', 'created', 'owner', 'enabled'],
    ],
    [
      'another column has the name of a mapped one',
      `ALTER TABLE ${TABLE} RENAME created TO old_created; ALTER TABLE ${TABLE} ADD created timestamptz`,
      `ALTER TABLE ${TABLE} DROP created; ALTER TABLE ${TABLE} RENAME old_created TO created`,
      ['created', 'old_created'],
    ],
    [
      'a column of an SQL expression was renamed',
      `ALTER TABLE ${TABLE} RENAME last4 TO ending`,
      `ALTER TABLE ${TABLE} RENAME ending TO last4`,
      ['ending'],
    ],
  ];
  for (const [what, swap, back, columns] of swaps)
    test(`tells that ${what}, and nothing else`, async () => {
      await database.client.query(swap);
      try {
        const { findings, notLookedAt } = await check();
        const names = columns.map(name => `"${name}"`).join(', ');
        const problem = `the view and its mapping differ in ${names}: the table or a column was renamed`;
        assert.deepEqual(findings, [{ about: 'columns', problem, fix: FIX }]);
        assert.deepEqual(notLookedAt, []);
      } finally {
        await database.client.query(back);
      }
      assert.deepEqual((await check()).findings, []);
    });
});
