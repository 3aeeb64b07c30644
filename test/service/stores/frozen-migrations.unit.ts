import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownSchema as ofPostgres } from '../../../src/service/postgres/migrations/schema.ts';
import { ownSchema as ofSqlite } from '../../../src/service/sqlite/migrations/schema.ts';

/** Of each step, in their order. A digest is added with its step, and never changed: no store with the old one could be used. */
const FROZEN = {
  sqlite: ['0bf93d427177a7790a878976e55bac59eb97bff73d28a03a663bee0f01bf43a8'],
  postgres: ['97d82a9428a754d37f09facbd3a2c04e9bb8e548af37ff13fd0aa00d99a09b66'],
};

test('no migration is edited: a change of the schema adds a step', () => {
  assert.deepEqual({ sqlite: ofSqlite().digests, postgres: ofPostgres().digests }, FROZEN);
});
