import assert from 'node:assert/strict';
import { parseStore, type Store } from '../../src/stores.ts';

/** The store at a valid URL. */
export function storeAt(url: string): Store {
  const store = parseStore(url);
  assert(store);
  return store;
}
