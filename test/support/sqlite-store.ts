/** Apart from the other kind: tests of a part that starts no PostgreSQL use it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeAt } from './store-at.ts';
import type { StoreKind, TestStore } from './stores.ts';

export const sqlite: StoreKind = { name: 'SQLite', create: createSqliteStore };

async function createSqliteStore(): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'keyroster-test-'));
  const url = `sqlite:${join(folder, 'keyroster.db')}`;
  const store = storeAt(url);
  await store.migrate();
  return { ...store, url, remove: async () => rmSync(folder, { recursive: true }) };
}
