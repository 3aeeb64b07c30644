import { statSync } from 'node:fs';
import { openStoreFile } from '../../src/sqlite/connection.ts';
import { atMost, type Section } from '../bench.ts';
import { table } from '../markdown.ts';

const ABOUT = `An import sorts before it writes, so the order of the file makes no difference. The table and its indexes are as SQLite's
\`dbstat\` has them.`;

/** What a key takes on the disk: in all, and in the table and each index by itself. */
export function measureDisk(stores: ReadonlyMap<string, string>, keys: number): Section {
  const bytesAKey = [...stores.values()].map(
    store => new Map<string, number>([[FILE, statSync(store).size / keys], ...bytesAKeyOfTrees(store, keys)]),
  );
  const names = [...(bytesAKey[0]?.keys() ?? [])].filter(name =>
    bytesAKey.some(of => (of.get(name) ?? 0) >= 1),
  );
  const most = Math.max(...bytesAKey.map(of => of.get(FILE) ?? 0));
  return {
    about: ABOUT,
    title: `Bytes a key on the disk, with ${keys.toLocaleString('en')} keys`,
    lines: table(
      ['', ...[...stores.keys()].map(order => `imported ${order}`)],
      names.map(name => [name, ...bytesAKey.map(of => (of.get(name) ?? 0).toFixed(0))]),
    ),
    goals: [atMost('bytes a key on the disk', 700, most)],
  };
}

const FILE = 'the file';

/** Of each table and index, from SQLite's dbstat. Empty where SQLite was built without it. */
function bytesAKeyOfTrees(store: string, keys: number): [name: string, bytes: number][] {
  const database = openStoreFile(store, { readOnly: true });
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
