import { after, before, describe } from 'node:test';
import type { StoreReader } from '../../src/service/roster/pages/reader.ts';
import type { RosterWriter } from '../../src/service/roster/roster.ts';
import { type StoreKind, storeKinds, type TestStore } from './stores.ts';

/** An open store of one kind; the fields are set before the tests run. */
export interface OpenStore {
  store: TestStore;
  writer: RosterWriter;
  reader: StoreReader;
}

/** Runs a group of tests over every kind of store, with one new store for the group. */
export function describeEachStore(
  what: string,
  tests: (open: OpenStore, kind: StoreKind) => void,
  kinds: readonly StoreKind[] = storeKinds,
): void {
  for (const kind of kinds) {
    describe(`${what}, over ${kind.name}`, () => {
      const open = {} as OpenStore;
      before(async () => {
        open.store = await kind.create();
        open.writer = await open.store.openWriter();
        open.reader = await open.store.openReader();
      });
      after(async () => {
        await open.reader.close();
        await open.writer.close();
        await open.store.remove();
      });
      tests(open, kind);
    });
  }
}
