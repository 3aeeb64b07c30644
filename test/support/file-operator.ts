/**
 * The other processes of a machine: commits to a store, and does to its files what operators and their tools do. A process of its
 * own, since a process that closes a file loses SQLite's locks on it. `followed-file.ts` starts it.
 */
import { copyFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import { openWriter } from '../../src/service/sqlite/store.ts';
import type { OrganizationId } from '../../src/shared/record/identifier.ts';
import { importKeys } from './roster.ts';
import { TEST_ACTOR } from './store-at.ts';

const deeds = {
  async import(file: string, organization: OrganizationId, keys: readonly ApiKey[]) {
    const writer = openWriter(file, TEST_ACTOR);
    await importKeys(writer, organization, keys).finally(() => writer.close());
  },
  checkpoint(file: string, mode: 'PASSIVE' | 'TRUNCATE') {
    const database = new DatabaseSync(file, { timeout: 5_000 });
    database.exec(`PRAGMA wal_checkpoint(${mode})`);
    database.close();
  },
  rename: (file: string, to: string) => renameSync(file, to),
  copyOver: (file: string, source: string) => copyFileSync(source, file),
  replace(file: string, source: string) {
    copyFileSync(source, `${file}.new`);
    renameSync(`${file}.new`, file);
  },
  truncate: (file: string, part: number) => truncateSync(file, Math.floor(statSync(file).size * part)),
  remove(...files: string[]) {
    for (const file of files) rmSync(file, { force: true });
  },
};

export type Deeds = typeof deeds;

process.on('message', async ([name, ...values]: [keyof Deeds, ...never[]]) => {
  let error: string | null = null;
  try {
    await (deeds[name] as (...values: never[]) => unknown)(...values);
  } catch (thrown) {
    error = String(thrown);
  }
  process.send?.(error);
});
