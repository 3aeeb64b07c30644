import { test } from 'node:test';
import { damageAndRepairStore } from '../../support/damaged-store.ts';

test('a store that is harmed and mended 25 times under load is never misread, and always served again', t =>
  damageAndRepairStore(t, 25, 1));
