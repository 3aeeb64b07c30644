/**
 * The other processes of a machine: commits to a store, and does to its files what operators and their tools do. A process of its
 * own, since a process that closes a file loses SQLite's locks on it. `file-history.ts` starts it.
 */
import { copyFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { ApiKey } from '../../src/roster/api-key.ts';
import type { OrganizationId } from '../../src/roster/identifier.ts';
import { openWriter } from '../../src/sqlite/store.ts';
import { importKeys } from './roster.ts';
import { TEST_ACTOR } from './store-at.ts';

/** What to do; `file` is the path of the store's file without symbolic links. */
export type Deed =
  | { do: 'import'; path: string; organization: OrganizationId; keys: readonly ApiKey[] }
  | { do: 'checkpoint'; file: string; mode: 'PASSIVE' | 'TRUNCATE' }
  | { do: 'rename'; file: string; to: string }
  | { do: 'copy over'; file: string; source: string }
  | { do: 'copy and rename over'; file: string; source: string }
  | { do: 'truncate'; file: string; part: number }
  | { do: 'remove'; files: readonly string[] };

const deeds: { readonly [Name in Deed['do']]: (deed: Extract<Deed, { do: Name }>) => unknown } = {
  async import({ path, organization, keys }) {
    const writer = openWriter(path, TEST_ACTOR);
    await importKeys(writer, organization, keys).finally(() => writer.close());
  },
  checkpoint({ file, mode }) {
    const database = new DatabaseSync(file, { timeout: 5_000 });
    database.exec(`PRAGMA wal_checkpoint(${mode})`);
    database.close();
  },
  rename: ({ file, to }) => renameSync(file, to),
  'copy over': ({ file, source }) => copyFileSync(source, file),
  'copy and rename over'({ file, source }) {
    copyFileSync(source, `${file}.new`);
    renameSync(`${file}.new`, file);
  },
  truncate: ({ file, part }) => truncateSync(file, Math.floor(statSync(file).size * part)),
  remove({ files }) {
    for (const file of files) rmSync(file, { force: true });
  },
};

if (process.send) {
  process.on('message', async (deed: Deed) => {
    const { do: name } = deed;
    const error = await Promise.resolve()
      .then(() => deeds[name](deed as never))
      .then(
        () => null,
        thrown => String(thrown),
      );
    process.send?.(error);
  });
}
