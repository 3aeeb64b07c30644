import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUsable, type Schema, schemaAfter } from '../../../src/service/roster/schema.ts';

const schema = (version: number, usableFrom: number): Schema => ({
  version,
  usableFrom,
  digests: Array.from({ length: version }, (_, index) => `digest ${index + 1}`),
});
const release = schema(7, 6);

const uses: [which: string, schema: Schema, read: boolean, write: boolean, migrate: boolean][] = [
  ['of its own', release, true, true, true],
  ['of the release before, and writes it only once it is migrated', schema(6, 6), true, false, true],
  ['of two releases ago only to migrate it', schema(5, 5), false, false, true],
  ['of the release after it, however many migrations that brings', schema(9, 7), true, true, true],
  ['of a later release not, whose own does not let it', schema(10, 9), false, false, false],
];
for (const [which, of, ...allowed] of uses)
  test(`a release reads the schema ${which}`, () => {
    const found = (['read', 'write', 'migrate'] as const).map(use => isUsable(of, release, use));
    assert.deepEqual(found, allowed);
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
