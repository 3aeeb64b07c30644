import { test } from 'node:test';
import { damageAndRepairStore } from '../../support/damaged-store.ts';
import { SOAK_SEED } from '../../support/soak.ts';

test('a store that is harmed and mended 500 times under load is never misread, and always served again', t =>
  damageAndRepairStore(t, 500, SOAK_SEED));
