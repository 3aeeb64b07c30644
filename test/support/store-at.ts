import assert from 'node:assert/strict';
import type { Actor } from '../../src/service/roster/actor.ts';
import { parseStore, type Store } from '../../src/service/stores.ts';

/** Who does what the tests do, in the audit log. */
export const TEST_ACTOR = 'tests' as Actor;

/** A store that is opened and migrated by the tests' actor where no other is named. */
export interface StoreOfTests extends Store {
  migrate(...args: Partial<Parameters<Store['migrate']>>): Promise<number>;
  openWriter(...args: Partial<Parameters<Store['openWriter']>>): ReturnType<Store['openWriter']>;
}

/** The store at a valid URL. */
export function storeAt(url: string): StoreOfTests {
  const store = parseStore(url);
  assert(store);
  return {
    ...store,
    migrate: (actor = TEST_ACTOR, ...more) => store.migrate(actor, ...more),
    openWriter: (actor = TEST_ACTOR, ...more) => store.openWriter(actor, ...more),
  };
}
