import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUsable, type Schema, schemaAfter } from '../../src/roster/schema.ts';

const schema = (version: number, usableFrom: number): Schema => ({ version, usableFrom });
const release = schema(7, 6);

test('a release reads and writes its own schema', () => {
  assert.ok(isUsable(release, release, 'read'));
  assert.ok(isUsable(release, release, 'write'));
});

test('a release reads the schema of the release before, and writes it only once it is migrated', () => {
  assert.ok(isUsable(schema(6, 6), release, 'read'));
  assert.ok(!isUsable(schema(6, 6), release, 'write'));
});

test('a release reads no schema from two releases ago', () => {
  assert.ok(!isUsable(schema(5, 5), release, 'read'));
});

test('a release reads and writes the schema of the release after it, however many migrations that brings', () => {
  for (const use of ['read', 'write'] as const) assert.ok(isUsable(schema(9, 7), release, use));
});

test('a release uses no schema whose own release does not let it', () => {
  for (const use of ['read', 'write'] as const) assert.ok(!isUsable(schema(10, 9), release, use));
});

test('a schema whose last migration says nothing of older releases is for its own alone', () => {
  assert.deepEqual(schemaAfter([{ usableFrom: null }, { usableFrom: null }]), schema(2, 2));
  assert.deepEqual(schemaAfter([{ usableFrom: null }, { usableFrom: 1 }]), schema(2, 1));
});
