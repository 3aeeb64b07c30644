/** `npm run bench -- [--keys N] [--rounds N]`: prints what docs/benchmarks.md reports. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureDisk } from './disk.ts';
import { measureExport } from './export.ts';
import { importFile, measureImport } from './import.ts';
import { type Section, table } from './markdown.ts';
import { measurePages } from './pages.ts';
import { run } from './run.ts';
import { createStore } from './store.ts';

const { values } = parseArgs({
  options: { keys: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '7' } },
});
const keys = Number(values.keys);
const rounds = Number(values.rounds);

const folder = mkdtempSync(join(tmpdir(), 'keyroster-bench-'));
try {
  print([`Node ${process.versions.node}, SQLite ${process.versions.sqlite}, ${keys} keys, ${rounds} rounds`]);
  const oldestFirst = await keysFile('oldest');
  section(await measureImport(folder, oldestFirst, keys, rounds));
  const { store, secret } = await filledStore(oldestFirst);
  section(await pages(store, secret));
  section(await measureExport(folder, store, keys, rounds));
  const newestFirst = await filledStore(await keysFile('newest'));
  const random = await filledStore(await keysFile('random'));
  const stores = {
    'oldest first': store,
    'newest first': newestFirst.store,
    'in random order': random.store,
  };
  section(measureDisk(new Map(Object.entries(stores)), keys));
} finally {
  rmSync(folder, { recursive: true });
}

async function keysFile(order: 'oldest' | 'newest' | 'random'): Promise<string> {
  const file = join(folder, `${order}.jsonl`);
  await run('bench/make-file.ts', [String(keys), order], file);
  return file;
}

/** A store with the keys of this file, which goes. */
async function filledStore(source: string): Promise<{ store: string; secret: string }> {
  const store = `${source}.db`;
  const secret = await createStore(store);
  await importFile(source, store, { inserted: keys });
  rmSync(source);
  return { store, secret };
}

async function pages(store: string, secret: string): Promise<Section> {
  const figures = await measurePages(`sqlite:${store}`, secret, keys, rounds);
  const rows = figures.map(({ what, perSecond, ratio }) => {
    const [median, least, most] = ratio.map(figure => figure.toFixed(2));
    return [what, perSecond.toFixed(0), `${median} (${least} to ${most})`];
  });
  return {
    title: `Pages of 20 at ${keys.toLocaleString('en')} keys`,
    lines: table(['page', 'requests/s', 'against the first page'], rows),
  };
}

function section({ title, lines }: Section): void {
  print(['', `## ${title}`, '', ...lines]);
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
