import { test } from 'node:test';
import { harmStore } from '../../support/harmed-store.ts';
import { SOAK_SEED } from '../../support/soak.ts';

test('a store that is harmed and mended 500 times under load is never misread, and always served again', t =>
  harmStore(t, 500, SOAK_SEED));
