import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readsRows, rowsReadBy } from '../../src/postgres/migration-waits.ts';
import { migrations } from '../../src/postgres/schema.ts';
import { connect } from '../support/connect.ts';
import { atEndOf } from '../support/scope.ts';
import { postgres } from '../support/stores.ts';

test('no migration that the release before goes on over reads rows while others wait', () => {
  for (const { usableFrom, statements } of migrations)
    if (usableFrom !== null) assert.deepEqual(statements.filter(readsRows), []);
});

test('what takes as long with a million rows as with none is known by its text, and anything else is taken to read rows', () => {
  const on = 'ALTER TABLE keyroster.api_keys';
  for (const statement of [
    `${on} ADD COLUMN note text`,
    `${on} ADD COLUMN uses bigint NOT NULL DEFAULT 0`,
    `${on} DROP CONSTRAINT api_keys_id_check`,
    `${on} ADD CONSTRAINT short CHECK (length(name) < 9)\n  NOT VALID`,
    'CREATE OR REPLACE FUNCTION keyroster.f() RETURNS integer LANGUAGE sql RETURN 1',
  ])
    assert.equal(readsRows(statement), false, statement);
  for (const statement of [
    `${on} ADD COLUMN note text CHECK (note <> '')`,
    `${on} ADD COLUMN at timestamptz DEFAULT clock_timestamp()`,
    `${on} ADD COLUMN short text GENERATED ALWAYS AS (left(name, 1)) STORED`,
    `${on} ADD CONSTRAINT short CHECK (length(name) < 9)`,
    `${on} ALTER name SET NOT NULL`,
    `${on} VALIDATE CONSTRAINT api_keys_id_check`,
    'CREATE INDEX ON keyroster.api_keys (name)',
    "UPDATE keyroster.api_keys SET name = ''",
  ])
    assert.equal(readsRows(statement), true, statement);
});

test('the rows that statements read are those of all their tables, with or without statistics', async t => {
  const store = await postgres.create();
  atEndOf(t, () => store.remove());
  const client = await connect(t, store.url);
  const index = 'CREATE INDEX ON keyroster.organizations (name)';
  await client.query(
    "INSERT INTO keyroster.organizations (id, name) SELECT 'org_' || n, 'x' FROM generate_series(1, 1000) AS n",
  );
  const guessed = await rowsReadBy(client, [index]);
  assert.ok(guessed > 100 && guessed < 10_000, String(guessed));
  await client.query('ANALYZE keyroster.organizations');
  assert.equal(await rowsReadBy(client, [index]), 1000);
  assert.equal(await rowsReadBy(client, [index, index, 'CREATE INDEX ON keyroster.not_made_yet (id)']), 2000);
});
