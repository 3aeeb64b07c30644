import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DigestTable } from '../../src/report/digest-table.ts';

/** Few of their bytes differ, so that many are for the same slot of the same shard. */
const digest = fc
  .array(fc.constantFrom(0, 0, 0, 1), { minLength: 16, maxLength: 16 })
  .map(bytes => Uint8Array.from(bytes));

test('a digest has the number that it was last given, as in a map of texts', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(digest, fc.nat({ max: 2 ** 31 })), { maxLength: 200 }), entries => {
      const table = new DigestTable();
      const model = new Map<string, number>();
      for (const [bytes, number] of entries) {
        assert.equal(table.get(bytes), model.get(String(bytes)));
        table.set(bytes, number);
        model.set(String(bytes), number);
      }
      for (const [bytes] of entries) assert.equal(table.get(bytes), model.get(String(bytes)));
    }),
  );
});

test('what follows the 128 bits of a digest is not part of it, nor where it begins in its buffer', () => {
  const table = new DigestTable();
  table.set(new Uint8Array(32).fill(7), 0);
  assert.equal(table.get(new Uint8Array(33).fill(7).subarray(1, 17)), 0);
});
