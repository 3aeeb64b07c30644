import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../support/connect.ts';
import { newStore } from '../../../support/opened.ts';
import { organizationIn } from '../../../support/roster.ts';
import { numberedKeys } from '../../../support/seeded-service.ts';

test('check finds rows that a table without its constraints lets in', async t => {
  const store = await newStore(t);
  await organizationIn(store, numberedKeys(5000));
  const client = await connect(t, store.url);
  await client.query(`
    ALTER TABLE keyroster.api_keys DISABLE TRIGGER ALL, DROP CONSTRAINT api_keys_created_at_check,
      DROP CONSTRAINT api_keys_status_check, DROP CONSTRAINT api_keys_created_by_id_check,
      DROP CONSTRAINT api_keys_partial_key_hint_check;
    UPDATE keyroster.api_keys SET created_at = 'infinity' WHERE id = 'k1';
    UPDATE keyroster.api_keys SET status = 'live' WHERE id IN ('k3', 'k4');
    UPDATE keyroster.api_keys SET created_by_id = 'us"er' WHERE id = 'k5';
    UPDATE keyroster.api_keys SET partial_key_hint = 'sk-ven-secret', name = 'as before' WHERE id = 'k6'`);
  const { findings, looked } = await store.check();
  assert.equal(looked.keys, 5000);
  const found = findings.map(({ problem, count, examples }) => [
    problem.slice(0, 34),
    count,
    examples?.toSorted(),
  ]);
  assert.deepEqual(found.toSorted(), [
    ['created_at: is NULL or empty: must', 1, ['k1']],
    ['partial_key_hint: must be masked: ', 1, ['k6']],
    ['record: an ID, the hint or a type ', 1, ['k5']],
    ['status: must be one of active, ina', 2, ['k3', 'k4']],
  ]);
});
