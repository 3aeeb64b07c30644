import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUsable, type Schema, schemaAfter } from '../../../src/service/roster/schema.ts';

const schema = (version: number, usableFrom: number): Schema => ({
  version,
  usableFrom,
  digests: Array.from({ length: version }, (_, index) => `digest ${index + 1}`),
});
const release = schema(7, 6);

test('a release reads and writes its own schema', () => {
  assert.ok(isUsable(release, release, 'read'));
  assert.ok(isUsable(release, release, 'write'));
});

test('a release reads the schema of the release before, and writes it only once it is migrated', () => {
  assert.ok(isUsable(schema(6, 6), release, 'read'));
  assert.ok(!isUsable(schema(6, 6), release, 'write'));
});

test('a release reads no schema from two releases ago, and migrates it', () => {
  assert.ok(!isUsable(schema(5, 5), release, 'read'));
  assert.ok(isUsable(schema(5, 5), release, 'migrate'));
});

test('a release reads and writes the schema of the release after it, however many migrations that brings', () => {
  for (const use of ['read', 'write'] as const) assert.ok(isUsable(schema(9, 7), release, use));
});

test('a release uses no schema whose own release does not let it', () => {
  for (const use of ['read', 'write'] as const) assert.ok(!isUsable(schema(10, 9), release, use));
});

test('a schema whose last migration says nothing of older releases is for its own alone', () => {
  const after = (...usableFrom: (number | null)[]) =>
    schemaAfter(
      usableFrom.map((each, index) => ({ usableFrom: each, digest: `digest ${index + 1}` })),
      ({ digest }) => digest,
    );
  assert.deepEqual(after(null, null), schema(2, 2));
  assert.deepEqual(after(null, 1), schema(2, 1));
});

test('a release copies, and does nothing else with, a schema that was made by another step than the one it knows', () => {
  const digests = schema(7, 6).digests.with(2, 'another');
  for (const other of [
    { ...schema(7, 6), digests },
    { ...schema(5, 5), digests: digests.slice(0, 5) },
    { ...schema(7, 6), digests: [] },
  ]) {
    for (const use of ['read', 'write', 'migrate'] as const) assert.ok(!isUsable(other, release, use), use);
    assert.ok(isUsable(other, release, 'copy'));
  }
});
