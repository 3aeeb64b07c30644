import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownSchema as ofPostgres } from '../../../src/service/postgres/migrations/schema.ts';
import { ownSchema as ofSqlite } from '../../../src/service/sqlite/migrations/schema.ts';

/** Of each step, in their order. A digest is added with its step, and never changed: no store with the old one could be used. */
const FROZEN = {
  sqlite: ['428e3a88d8f604a7354696a110866cf727dfca6a621b4d8e0f74328d4ac6839e'],
  postgres: ['97d82a9428a754d37f09facbd3a2c04e9bb8e548af37ff13fd0aa00d99a09b66'],
};

test('no migration is edited: a change of the schema adds a step', () => {
  assert.deepEqual({ sqlite: ofSqlite().digests, postgres: ofPostgres().digests }, FROZEN);
});
