import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrations } from '../../../src/service/postgres/schema.ts';

/** Statements that take as long with a million rows as with none. What is not known to be one is taken for one that reads all rows. */
const READING_NO_ROWS = [
  /^(CREATE (OR REPLACE )?(SCHEMA|TABLE|FUNCTION|TRIGGER|VIEW)|DROP|COMMENT|SET|GRANT|REVOKE)\b/,
  /^ALTER TABLE \S+ (DROP|RENAME|ENABLE|DISABLE)\b/,
  /^ALTER TABLE \S+ ALTER (COLUMN )?\w+ (SET DEFAULT|DROP)\b/,
  /^ALTER TABLE \S+ ADD CONSTRAINT .*\bNOT VALID$/s,
  /^ALTER TABLE \S+ ADD COLUMN (?!.*\b(CHECK|GENERATED|REFERENCES|UNIQUE|PRIMARY|\w+\(\)))/s,
];

function readsRows(statement: string): boolean {
  const text = statement.trim();
  return !READING_NO_ROWS.some(each => each.test(text));
}

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
