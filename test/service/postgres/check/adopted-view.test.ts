import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { adoptionIn } from '../../../../src/operator/adopt/open-adoption.ts';
import { checkStore } from '../../../../src/operator/check-store.ts';
import type { Mapping } from '../../../../src/service/postgres/vendor-table/mapping.ts';
import { databaseWithSimpleTable, simpleMapping, TABLE } from '../../../support/adopted/simple-table.ts';
import type { VendorDatabase } from '../../../support/adopted/vendor-database.ts';
import { suiteScope } from '../../../support/scope.ts';
import { storeAt, TEST_ACTOR } from '../../../support/store-at.ts';

const ADOPT = 'keyroster adopt --mapping FILE --apply';
const CHANGE = `change the mapping, then run "${ADOPT}"`;

describe('check of a view whose mapping names something else since', () => {
  const scope = suiteScope();
  let database: VendorDatabase;
  const adopt = async (mapping: Mapping) =>
    (await adoptionIn(storeAt(database.url))).apply(mapping, { actor: TEST_ACTOR, onStep: () => {} });
  const check = () => checkStore(storeAt(database.url));
  before(async () => {
    database = await databaseWithSimpleTable(scope);
    await adopt(simpleMapping());
  });

  const differs = 'the view is not what its mapping makes: the table or a column was renamed';
  const swapped = `ALTER TABLE ${TABLE} RENAME owner TO was_owner; ALTER TABLE ${TABLE} RENAME team TO owner;
    ALTER TABLE ${TABLE} RENAME was_owner TO team`;
  const swaps: [what: string, swap: string, back: string, problem: string, fix?: string][] = [
    [
      'another table has its name',
      `ALTER TABLE ${TABLE} RENAME TO apikey_old; CREATE TABLE ${TABLE} (LIKE apikey_old)`,
      `DROP TABLE ${TABLE}; ALTER TABLE apikey_old RENAME TO apikey`,
      differs,
    ],
    [
      'the table has another name',
      `ALTER TABLE ${TABLE} RENAME TO apikey_old`,
      `ALTER TABLE apikey_old RENAME TO apikey`,
      `relation "${TABLE}" does not exist`,
      CHANGE,
    ],
    [
      'another column has the name of a mapped one',
      `ALTER TABLE ${TABLE} RENAME created TO old_created; ALTER TABLE ${TABLE} ADD created timestamptz`,
      `ALTER TABLE ${TABLE} DROP created; ALTER TABLE ${TABLE} RENAME old_created TO created`,
      differs,
    ],
    ['two columns have swapped their names', swapped, swapped, differs],
    [
      'a column of an SQL expression was renamed',
      `ALTER TABLE ${TABLE} RENAME last4 TO ending`,
      `ALTER TABLE ${TABLE} RENAME ending TO last4`,
      'fields.partial_key_hint: PostgreSQL refuses it: column "last4" does not exist',
      CHANGE,
    ],
  ];
  for (const [what, swap, back, problem, fix = ADOPT] of swaps)
    test(`tells that ${what}, and nothing else`, async () => {
      await database.client.query(swap);
      try {
        const { findings, notLookedAt } = await check();
        assert.deepEqual(findings, [{ about: 'columns', problem, fix }]);
        assert.deepEqual(notLookedAt, []);
      } finally {
        await database.client.query(back);
      }
      assert.deepEqual((await check()).findings, []);
    });

  test('finds nothing after a restore, which writes some casts of an expression otherwise', async () => {
    const mapping = simpleMapping();
    const name = { sql: "CASE WHEN name::varchar IN ('a', 'b') THEN 'c' ELSE name END" };
    await adopt({ ...mapping, fields: { ...mapping.fields, name } });
    const definition = async () =>
      (await database.client.query(`SELECT pg_get_viewdef('keyroster.api_keys') AS sql`)).rows[0].sql;
    const before = await definition();
    await database.client.query(`CREATE OR REPLACE VIEW keyroster.api_keys AS ${before}`);
    assert.notEqual(await definition(), before);
    assert.deepEqual((await check()).findings, []);
  });
});
