import { test } from 'node:test';
import { harmStore } from '../../support/harmed-store.ts';

test('a store that is harmed and mended 25 times under load is never misread, and always served again', t =>
  harmStore(t, 25, 1));
