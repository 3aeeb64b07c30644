import { test } from 'node:test';
import { damageAndRepairStore } from '../../support/damaged-store.ts';
import { SOAK_SEED } from '../../support/soak.ts';

test('a store that is damaged and repaired 500 times under load never serves wrong data and always recovers', t =>
  damageAndRepairStore(t, 500, SOAK_SEED));
