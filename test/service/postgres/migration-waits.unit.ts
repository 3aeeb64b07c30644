import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrations } from '../../../src/service/postgres/migrations/schema.ts';

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
  const on = 'ALTER TABLE keyroster.api_keys';
  for (const known of [
    `${on} ADD COLUMN note text`,
    `${on} ADD CONSTRAINT short CHECK (id < 'b')\n  NOT VALID`,
  ])
    assert.equal(readsRows(known), false, known);
  for (const other of [
    `${on} ADD COLUMN at timestamptz DEFAULT clock_timestamp()`,
    'CREATE INDEX ON keyroster.fields',
  ])
    assert.equal(readsRows(other), true, other);
  for (const { usableFrom, statements } of migrations)
    if (usableFrom !== null) assert.deepEqual(statements.filter(readsRows), []);
});
