import { statSync } from 'node:fs';
import { openStoreFile } from '../../src/sqlite/store-file.ts';
import { table } from '../results/markdown.ts';
import { atMost, type Section } from '../results/section.ts';

const ABOUT = `An import sorts before it writes, so the order of the file makes no difference. The sizes of the
table and its indexes are from SQLite's \`dbstat\`.`;

/** Bytes per key: of the whole file, of the table, and of each index. */
export function measureDisk(stores: ReadonlyMap<string, string>, keys: number): Section {
  const bytesPerKey = [...stores.values()].map(
    store =>
      new Map<string, number>([[FILE, statSync(store).size / keys], ...bytesPerKeyOfTrees(store, keys)]),
  );
  const names = [...(bytesPerKey[0]?.keys() ?? [])].filter(name =>
    bytesPerKey.some(store => (store.get(name) ?? 0) >= 1),
  );
  const max = Math.max(...bytesPerKey.map(store => store.get(FILE) ?? 0));
  return {
    about: ABOUT,
    title: `Bytes per key on disk, with ${keys.toLocaleString('en')} keys`,
    lines: table(
      ['', ...[...stores.keys()].map(order => `imported ${order}`)],
      names.map(name => [name, ...bytesPerKey.map(store => (store.get(name) ?? 0).toFixed(0))]),
    ),
    goals: [atMost('bytes per key on disk', 700, max)],
  };
}

const FILE = 'the file';

/** Bytes per key of each table and index. Empty where SQLite was built without dbstat. */
function bytesPerKeyOfTrees(store: string, keys: number): [name: string, bytes: number][] {
  const database = openStoreFile(store, { use: 'read' });
  try {
    const sql = 'SELECT name, pgsize AS bytes FROM dbstat WHERE aggregate = TRUE ORDER BY pgsize DESC';
    const trees = database.prepare(sql).all();
    return trees.map(({ name, bytes }) => [`\`${name}\``, Number(bytes) / keys]);
  } catch (error) {
    if (/no such table: dbstat/.test((error as Error).message)) return [];
    throw error;
  } finally {
    database.close();
  }
}
