import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { migrations } from '../../src/sqlite/schema.ts';

test('released migrations never change: two stores at the same version have the same schema, whichever release made them', () => {
  assert.deepEqual(
    migrations.map(({ sql }) => hash('sha256', sql)),
    [
      '29aff9e2d683e612734f0dfd0a6663e3780025aff7c80d4ab68c76b6aeabb334',
      'e3b62d30cf925da4a679a8d0a2a553636f00bdcd829ee2b83055e80347f3b231',
      'f15a6dc84244a8d877f9354aa469134f0f868fefd7423cfde5bb966032c7da32',
      'b15161c49d2d787458a69c73fa89c414be051ac58615abcadd17655c6e9ea60f',
      '894b7cfe38ff19c3f34fec12d4d108036cf58c093fa4e4c79087f7ab2fe1272d',
    ],
  );
});
