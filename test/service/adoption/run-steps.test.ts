import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runStep } from '../../../src/service/adoption/adopt.ts';
import { parsePostgresUrl } from '../../../src/service/postgres/connecting/url.ts';
import { openClient } from '../../../src/service/postgres/connection.ts';
import { LockWatch } from '../../../src/service/postgres/lock-watch.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import { databaseWithSimpleTable, simpleMapping, TABLE } from '../../support/adopted/simple-table.ts';
import { assertNoTrace } from '../../support/canaries.ts';
import { connect } from '../../support/connect.ts';
import { storeAt, TEST_ACTOR } from '../../support/store-at.ts';

const SECRET = 'sk_live_TheFullSecretOfARow';
const options = { actor: TEST_ACTOR, onStep: () => {} };

test('repeats no value of a row on which an expression fails', async t => {
  const { url, client } = await databaseWithSimpleTable(t);
  await client.query(`CREATE FUNCTION vendors(text) RETURNS text LANGUAGE plpgsql IMMUTABLE
    AS $$ BEGIN IF $1 LIKE 'sk\\_live%' THEN RAISE 'bad key %', $1; END IF; RETURN $1; END $$`);
  await client.query(`UPDATE ${TABLE} SET hash = '${SECRET}' WHERE id = 'key_4999'`);
  const mapping = simpleMapping();
  const fields = { ...mapping.fields, workspace_id: { sql: 'vendors(hash)' } };
  const adoption = await storeAt(url).adoption();
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
  const adoption = await storeAt(url).adoption();
  await assert.rejects(
    adoption.apply({ ...mapping, fields }, options),
    /could not make the index keyroster_listing_status_\w+, .* must be marked IMMUTABLE: the text of an enum isn't/,
  );
});

test('goes on without knowing who holds a lock where the connection that looks is terminated', async t => {
  const { url, client } = await databaseWithSimpleTable(t);
  const [working, watching] = await Promise.all([connect(t, url), openClient(parsePostgresUrl(url))]);
  const { rows } = await watching.query('SELECT pg_backend_pid()::text AS pid');
  await client.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  const watch = new LockWatch(watching);
  await runStep(working, watch, { what: 'wait', statements: ['SELECT pg_sleep(0.5)'] });
  const blocking = await connect(t, url);
  await blocking.query(`BEGIN; LOCK TABLE ${TABLE}`);
  await working.query('SET lock_timeout = 300');
  await assert.rejects(
    runStep(working, watch, { what: 'lock', statements: [`SELECT FROM ${TABLE}`] }),
    /could not lock: a lock was not free within 2 s: PostgreSQL does not say who holds it/,
  );
  await watching.end();
});
