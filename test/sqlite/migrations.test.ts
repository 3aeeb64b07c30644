import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { migrations } from '../../src/sqlite/schema.ts';

test('released migrations never change: two stores at the same version have the same schema, whichever release made them', () => {
  assert.deepEqual(
    migrations.map(step => hash('sha256', step)),
    [
      '29aff9e2d683e612734f0dfd0a6663e3780025aff7c80d4ab68c76b6aeabb334',
      'e3b62d30cf925da4a679a8d0a2a553636f00bdcd829ee2b83055e80347f3b231',
      'a8a00f4ff9f3cc5a5488a3377d4ed8fa22e8660801ab6dbda75a2f9bf4ee163d',
    ],
  );
});
