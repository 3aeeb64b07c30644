/** `npm run bench`: measures what docs/benchmarks.md reports, and writes that page. `--help` lists the options. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOCUMENT, documentOf, goalsText, sectionText } from './document.ts';
import { FEW, LoadClient, MANY } from './load/load.ts';
import { measureAdmin } from './measurements/admin.ts';
import type { Bench } from './measurements/bench.ts';
import { measureBetterAuth } from './measurements/better-auth.ts';
import { measureCompiled } from './measurements/compiled.ts';
import { measureCompression } from './measurements/compression.ts';
import { measureDepth } from './measurements/depth.ts';
import { measureDisk } from './measurements/disk.ts';
import { measureDuringWalk } from './measurements/during-walk.ts';
import { measureExport } from './measurements/export.ts';
import { measureExpressOnPostgres, measureExpressOnSqlite } from './measurements/express.ts';
import { measureFilters } from './measurements/filters.ts';
import { measureImport } from './measurements/import.ts';
import { measureLanes } from './measurements/lanes.ts';
import { measureLog } from './measurements/log.ts';
import { measurePages } from './measurements/pages.ts';
import { measurePostgres } from './measurements/postgres.ts';
import { measureSize } from './measurements/size.ts';
import { measureStart } from './measurements/start.ts';
import { measureVendorTable } from './measurements/vendor-table.ts';
import { readOptions, type SectionName } from './options.ts';
import { run } from './processes/run.ts';
import type { Section } from './results/section.ts';
import { importFile } from './roster/import-file.ts';
import { createStore, type SqliteStore } from './roster/store.ts';
import { withPostgres } from './servers/postgres.ts';

const options = readOptions();
const { keys, forPeers } = options;

const start = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'keyroster-bench-'));
const client = new LoadClient();
const bench: Bench = { ...options, folder, client, clients: MANY };
const sections: Section[] = [];
// PostgreSQL's data and SQLite's temporary files are in it too. Started by root, PostgreSQL runs as another user.
chmodSync(folder, 0o711);
process.env.TMPDIR = folder;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
// Retries, because PostgreSQL takes a moment to end.
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));

const source = once(() => makeFile(keys, 'oldest'));
const large = once(async () => importedStore(await source(), keys));
await measure('pages', async () => measurePages(bench, await large()));
await measure('compiled', async () => measureCompiled(bench, await large()));
await measure('depth', async () => measureDepth(bench, await large()));
await measure('filters', async () => measureFilters(bench, await large()));
await measure('walk', async () => measureDuringWalk(bench, await large()));
await measure('compression', async () => measureCompression(bench, await large()));
await measure('start', async () => measureStart(bench, await large(), keys));
if (options.tenMillion && isWanted('size')) await measureTenMillion();
await measure('log', async () => measureLog(bench, await large()));
await measure('export', async () => measureExport(bench, await large(), options.commandRounds));
await measure('admin', async () => measureAdmin(bench, await large(), options.adminRounds));
await measure('express-sqlite', async () => measureExpressOnSqlite({ ...bench, ...forPeers }, await large()));
await measure('better-auth', async () => {
  const store = await makeStore(options.betterAuthKeys);
  return measureBetterAuth({ ...bench, ...forPeers }, store, options.betterAuthKeys);
});
if (isWanted('postgres', 'vendor-table', 'lanes', 'express-postgres')) {
  await withPostgres(await source(), keys, async store => {
    const forDatabase = { ...bench, clients: FEW };
    await measure('postgres', () => measurePostgres(forDatabase, store));
    await measure('vendor-table', () => measureVendorTable(forDatabase, store));
    await measure('lanes', () => measureLanes(forDatabase, store));
    await measure('express-postgres', () => measureExpressOnPostgres({ ...bench, ...forPeers }, store));
  });
}
await measure('import', async () => measureImport(bench, await source(), options.importRounds));
await measure('disk', measureDiskInEachOrder);

const minutes = (performance.now() - start) / 60_000;
const document = documentOf(
  { ...options, minutes, shed: client.shed, sections },
  readFileSync(DOCUMENT, 'utf8'),
);
if (options.only.length > 0) {
  process.stdout.write(`\n${goalsText(sections)}\n`);
} else if (options.quick) {
  process.stdout.write(`\n${document}`);
} else {
  writeFileSync(DOCUMENT, document);
  process.stdout.write('\nwrote docs/benchmarks.md\n');
}
process.exit();

function isWanted(...names: SectionName[]): boolean {
  return options.only.length === 0 || names.some(name => options.only.includes(name));
}

async function measure(name: SectionName, work: () => Promise<Section>): Promise<void> {
  if (!isWanted(name)) return;
  progress(name);
  const section = await work();
  sections.push(section);
  process.stdout.write(`\n${sectionText(section)}\n`);
}

async function measureTenMillion(): Promise<void> {
  const { smallKeys, hugeKeys } = options;
  progress(`making ${hugeKeys.toLocaleString('en')} keys`);
  const huge = await makeStore(hugeKeys);
  const small = await makeStore(smallKeys);
  await measure('size', () => measureSize(bench, [small, smallKeys], [huge, hugeKeys]));
  await measure('size', () => measureStart(bench, huge, hugeKeys));
  rmSync(huge.file);
}

async function measureDiskInEachOrder(): Promise<Section> {
  const stores = new Map<string, string>();
  for (const [order, text] of [
    ['oldest', 'oldest first'],
    ['newest', 'newest first'],
    ['random', 'in random order'],
  ] as const) {
    const { file } = await importedStore(await makeFile(options.diskKeys, order), options.diskKeys);
    stores.set(text, file);
  }
  return measureDisk(stores, options.diskKeys);
}

async function makeFile(count: number, order: 'oldest' | 'newest' | 'random'): Promise<string> {
  progress(`making a file of ${count.toLocaleString('en')} keys`);
  const file = join(folder, `${count}-${order}.jsonl`);
  await run('bench/roster/make-file.ts', [String(count), order], { output: file });
  return file;
}

/** A store that this file was imported into, as an operator does it. */
async function importedStore(source: string, count: number): Promise<SqliteStore> {
  progress('importing it');
  const file = `${source}.db`;
  const secret = await createStore(file);
  await importFile(source, `sqlite:${file}`, { inserted: count });
  return { file, secret };
}

/** A store with this many keys, made faster than by an import. */
async function makeStore(count: number): Promise<SqliteStore> {
  const file = join(folder, `${count}.db`);
  const output = `${file}.secret`;
  await run('bench/roster/make-store.ts', [file, String(count)], { output });
  return { file, secret: readFileSync(output, 'utf8') };
}

/** Makes it when it is first needed. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function progress(what: string): void {
  const time = new Date(performance.now() - start).toISOString().slice(14, 19);
  process.stderr.write(`${time} ${what}\n`);
}
