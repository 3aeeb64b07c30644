import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runStep } from '../../../../src/postgres/adoption/steps/run-steps.ts';
import { parsePostgresUrl } from '../../../../src/postgres/connecting/url.ts';
import { openClient } from '../../../../src/postgres/connection.ts';
import { LockWatch } from '../../../../src/postgres/lock-watch.ts';
import { Refused } from '../../../../src/roster/errors.ts';
import { databaseWithSimpleTable, simpleMapping, TABLE } from '../../../support/adopted/simple-table.ts';
import { assertNoTrace } from '../../../support/canaries.ts';
import { connect } from '../../../support/connect.ts';
import { storeAt, TEST_ACTOR } from '../../../support/store-at.ts';

const SECRET = 'sk_live_TheFullSecretOfARow';
const options = { actor: TEST_ACTOR, role: undefined, onStep: () => {} };

const RAISING = (statement: string) => `CREATE FUNCTION vendors(text) RETURNS text LANGUAGE plpgsql IMMUTABLE
  AS $$ BEGIN IF $1 LIKE 'sk\\_live%' THEN ${statement}; END IF; RETURN $1; END $$`;

const failing: Readonly<Record<string, { sql: string; given?: string; code: string }>> = {
  'a cast': { sql: '(hash::integer)::text', code: '22P02' },
  'a function that raises': {
    sql: 'vendors(hash)',
    given: RAISING("RAISE 'bad key %', $1"),
    code: 'P0001',
  },
  'a function that looks a name up': {
    sql: 'vendors(hash)',
    given: RAISING('RETURN $1::regclass'),
    code: '42P01',
  },
};

for (const [what, { sql, given, code }] of Object.entries(failing))
  test(`repeats no value of a row on which ${what} fails`, async t => {
    const { url, client } = await databaseWithSimpleTable(t);
    await client.query(`UPDATE ${TABLE} SET hash = '1'`);
    if (given) await client.query(given);
    await client.query(`UPDATE ${TABLE} SET hash = '${SECRET}' WHERE id = 'key_4999'`);
    const mapping = simpleMapping();
    const fields = { ...mapping.fields, workspace_id: { sql } };
    const adoption = await storeAt(url).adoption();
    await assert.rejects(adoption.apply({ ...mapping, fields }, options), (error: unknown) => {
      assert(error instanceof Refused);
      assertNoTrace([SECRET], error.message, 'the message');
      assert.match(error.message, /could not make the index keyroster_listing_workspace_/);
      assert.ok(error.message.includes(`fails on a row (${code})`), error.message);
      return true;
    });
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
