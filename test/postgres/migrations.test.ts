import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { migrations } from '../../src/postgres/schema.ts';

test('released migrations never change: two stores at the same version have the same schema, whichever release made them', () => {
  assert.deepEqual(
    migrations.map(step => hash('sha256', step)),
    [
      'b61d1f79f1d1111bb928af88a8a14b1355d10d1f3868201be87f030644ad4703',
      'e453051f712ce6f5614e6cac332abe7b21392497e22e27d2ea0b2561dfdb591a',
      'f1dcd4e54f8ab9b08706689a2ccfe55f83614d1e888c001f68d945a9586689a8',
    ],
  );
});
