import { after, before, describe } from 'node:test';
import type { RosterWriter, StoreReader } from '../../src/roster/roster.ts';
import { storeKinds, type TestStore } from './stores.ts';

/** An open store of one kind; the fields are set before the tests run. */
interface OpenStore {
  store: TestStore;
  writer: RosterWriter;
  reader: StoreReader;
}

/** Runs a group of tests over every kind of store, with one new store for the group. */
export function describeEachStore(what: string, tests: (open: OpenStore) => void): void {
  for (const kind of storeKinds) {
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
      tests(open);
    });
  }
}
