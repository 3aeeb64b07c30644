import { after, before, describe } from 'node:test';
import type { RosterReader, RosterWriter } from '../../src/roster/roster.ts';
import { storeKinds, type TestStore } from './stores.ts';

/** An open store of one kind, filled in before the tests run. */
interface OpenStore {
  store: TestStore;
  writer: RosterWriter;
  reader: RosterReader;
}

/** Runs a group of tests over every store; each gets a store of its own for the whole group. */
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
