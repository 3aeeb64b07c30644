/** `npm run bench`: measures what docs/benchmarks.md reports, and writes that page. `--help` lists the options. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOCUMENT, documentOf, goalsText, sectionText } from './document.ts';
import { FEW, LoadClient, MANY } from './load/load.ts';
import type { Bench } from './measurements/bench.ts';
import { measureCompiled } from './measurements/compiled.ts';
import { measureDepth } from './measurements/depth.ts';
import { measureFilters } from './measurements/filters.ts';
import { measureImport } from './measurements/import.ts';
import { measureMemory } from './measurements/memory.ts';
import { measurePages } from './measurements/pages.ts';
import { measurePostgres } from './measurements/postgres.ts';
import { measureWorkers } from './measurements/workers.ts';
import { readOptions, type SectionName } from './options.ts';
import { run } from './processes/run.ts';
import type { Section } from './results/section.ts';
import { importFile } from './roster/import-file.ts';
import { createStore, type SqliteStore } from './roster/store.ts';
import { withPostgres } from './servers/postgres.ts';

const options = readOptions();
const { keys } = options;

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

const source = once(makeFile);
const store = once(async () => importedStore(await source()));
await measure('pages', async () => measurePages(bench, await store()));
await measure('compiled', async () => measureCompiled(bench, await store()));
await measure('depth', async () => measureDepth(bench, await store()));
await measure('filters', async () => measureFilters(bench, await store()));
if (process.platform === 'linux') await measure('workers', async () => measureWorkers(bench, await store()));
else progress("workers: SKIPPED, as this system doesn't tell the CPU time of threads");
await measure('memory', async () => measureMemory(bench, await store()));
await measure('postgres', async () =>
  withPostgres(await source(), keys, store => measurePostgres({ ...bench, clients: FEW }, store)),
);
await measure('import', async () => measureImport(bench, await source()));

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

async function measure(name: SectionName, work: () => Promise<Section>): Promise<void> {
  if (options.only.length > 0 && !options.only.includes(name)) return;
  progress(name);
  const section = await work();
  sections.push(section);
  process.stdout.write(`\n${sectionText(section)}\n`);
}

async function makeFile(): Promise<string> {
  progress(`making a file of ${keys.toLocaleString('en')} keys`);
  const file = join(folder, 'keys.jsonl');
  await run('bench/roster/make-file.ts', [String(keys)], { output: file });
  return file;
}

/** A store that this file was imported into, as an operator does it. */
async function importedStore(source: string): Promise<SqliteStore> {
  progress('importing it');
  const file = `${source}.db`;
  const secret = await createStore(file);
  await importFile(source, `sqlite:${file}`, { inserted: keys });
  return { file, secret };
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
