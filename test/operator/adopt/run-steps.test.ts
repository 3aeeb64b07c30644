import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adoptionIn } from '../../../src/operator/adopt/open-adoption.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import { databaseWithSimpleTable, simpleMapping, TABLE } from '../../support/adopted/simple-table.ts';
import { assertNoTrace } from '../../support/canaries.ts';
import { storeAt, TEST_ACTOR } from '../../support/store-at.ts';

const SECRET = 'sk_live_TheFullSecretOfARow';
const options = { actor: TEST_ACTOR, onStep: () => {} };

test('repeats no value of a row on which an expression fails', async t => {
  const { url, client } = await databaseWithSimpleTable(t);
  await client.query(`CREATE FUNCTION vendors(text) RETURNS text LANGUAGE plpgsql IMMUTABLE
    AS $$ BEGIN IF $1 LIKE 'sk\\_live%' THEN RAISE 'bad key %', $1; END IF; RETURN $1; END $$`);
  await client.query(`UPDATE ${TABLE} SET hash = '${SECRET}' WHERE id = 'key_4999'`);
  const mapping = simpleMapping();
  const fields = { ...mapping.fields, workspace_id: { sql: 'public.vendors(hash)' } };
  const adoption = await adoptionIn(storeAt(url));
  await assert.rejects(adoption.apply({ ...mapping, fields }, options), (error: unknown) => {
    assert(error instanceof Refused);
    assertNoTrace([SECRET], error.message, 'the message');
    assert.match(error.message, /could not make the index keyroster_listing_workspace_/);
    assert.match(error.message, /fails on a row \(P0001\)/);
    return true;
  });
});

test('says how to write an expression that PostgreSQL takes into no index', async t => {
  const { url, client } = await databaseWithSimpleTable(t);
  await client.query(`CREATE TYPE mood AS ENUM ('active'); ALTER TABLE ${TABLE} ADD mood mood`);
  const mapping = simpleMapping();
  const fields = { ...mapping.fields, status: { column: 'mood' } };
  const adoption = await adoptionIn(storeAt(url));
  await assert.rejects(
    adoption.apply({ ...mapping, fields }, options),
    /could not make the index keyroster_listing_status_\w+, .* must be marked IMMUTABLE: the text of an enum isn't/,
  );
});
