import { test } from 'node:test';
import { damageAndRepairStore } from '../../support/damaged-store.ts';

test('a store that is damaged and repaired 25 times under load never serves wrong data and always recovers', t =>
  damageAndRepairStore(t, 25, 1));
