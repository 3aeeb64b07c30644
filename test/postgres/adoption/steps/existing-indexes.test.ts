import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  databaseWithSimpleTable,
  indexNamesOf,
  simpleMapping,
  TABLE,
} from '../../../support/adopted/simple-table.ts';
import { indexesOf } from '../../../support/adopted/vendor-database.ts';
import type { Scope } from '../../../support/scope.ts';
import { storeAt, TEST_ACTOR } from '../../../support/store-at.ts';

const mapping = simpleMapping();
const swaps = {
  table: `ALTER TABLE ${TABLE} RENAME TO apikey_old; CREATE TABLE ${TABLE} (LIKE apikey_old);
    INSERT INTO ${TABLE} SELECT * FROM apikey_old WHERE team = 'team_1'`,
  'two columns': `ALTER TABLE ${TABLE} RENAME team TO team_; ALTER TABLE ${TABLE} RENAME owner TO team;
    ALTER TABLE ${TABLE} RENAME team_ TO owner`,
};

async function adoptedDatabase(t: Scope) {
  const { url, client } = await databaseWithSimpleTable(t);
  const store = storeAt(url);
  const adoption = await store.adoption();
  const steps: string[] = [];
  const apply = () =>
    adoption.apply(mapping, {
      actor: TEST_ACTOR,
      role: undefined,
      onStep: what => {
        steps.push(what);
      },
    });
  await apply();
  steps.length = 0;
  return { url, client, store, adoption, apply, steps };
}

for (const [what, swap] of Object.entries(swaps))
  test(`a second run makes the indexes anew after another ${what} has taken the name`, async t => {
    const { client, store, apply, steps } = await adoptedDatabase(t);
    await client.query(swap);
    await apply();
    const made = steps.findIndex(step => step.startsWith('make the view'));
    assert(
      steps.slice(0, made).every(step => !step.startsWith('drop')),
      'the old ones serve until the view is made',
    );
    const ours = (await indexesOf(client, TABLE)).filter(({ name }) => name !== 'apikey_pkey');
    assert.deepEqual(
      ours,
      indexNamesOf(mapping)
        .toSorted()
        .map(name => ({ name, isValid: true })),
    );
    const { rows } = await client.query(
      "SELECT FROM pg_class WHERE relname LIKE 'keyroster\\_%' AND relkind = 'i'",
    );
    assert.equal(rows.length, ours.length);
    assert.deepEqual((await store.check()).findings, []);
    steps.length = 0;
    await apply();
    assert.deepEqual(steps, ['make the view keyroster.api_keys over "public"."apikey"']);
  });
