/** The stores that the store tests run over: one source, every store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Store, storeAt } from '../../src/cli/store.ts';

export interface TestStore extends Store {
  /** As `--database` takes it. */
  readonly url: string;
  remove(): Promise<void>;
}

export interface StoreKind {
  readonly name: string;
  /** An empty store with a current schema. */
  create(): Promise<TestStore>;
}

export const storeKinds: readonly StoreKind[] = [{ name: 'SQLite', create: createSqliteStore }];

async function createSqliteStore(): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'keyroster-test-'));
  const url = `sqlite:${join(folder, 'keyroster.db')}`;
  const store = storeAt(url);
  await store.migrate();
  return { ...store, url, remove: async () => rmSync(folder, { recursive: true }) };
}
