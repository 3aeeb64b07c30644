import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { migrations } from '../../src/postgres/schema.ts';

test('released migrations never change: two stores at the same version have the same schema, whichever release made them', () => {
  assert.deepEqual(
    migrations.map(({ concurrently = [], statements }) =>
      hash('sha256', [...concurrently, ...statements].join('')),
    ),
    [
      'b61d1f79f1d1111bb928af88a8a14b1355d10d1f3868201be87f030644ad4703',
      'e453051f712ce6f5614e6cac332abe7b21392497e22e27d2ea0b2561dfdb591a',
      'a4a29a8e4cb1262c3800800f366e95abe59520dda07bdcb071b081902ac56641',
      '27f42992b06c2d6ac3ea83cac65f59fc2b8dbd9100a371b70441262eac3322e7',
      'edce21f76ab3e532a1f94171685fd778c54bd27dee8598b682b819fb8e86d3e5',
      'd5c54e9864dbd32f1e2203f9c18d3761c5ae295a724e123ffe13b8d595fe7567',
      '0cb0e4f7f271b1027f7b1c96e5c9c843e8a8f1abd0097320aef0d99e54b03492',
    ],
  );
});
