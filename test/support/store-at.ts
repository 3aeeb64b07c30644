import assert from 'node:assert/strict';
import { parseStore, type Store } from '../../src/stores.ts';

/** The store of a URL that is right. */
export function storeAt(url: string): Store {
  const store = parseStore(url);
  assert(store);
  return store;
}
