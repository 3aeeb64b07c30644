/** `npm run bench`: measures all that docs/benchmarks.md reports, and writes it. `--help` has the options. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench, Section, Store } from './bench.ts';
import { importFile } from './commands/import-file.ts';
import { run } from './commands/run.ts';
import { DOCUMENT, documentOf, sectionText } from './document.ts';
import { FEW, LoadClient, MANY } from './load/load.ts';
import { measureAdmin } from './measurements/admin.ts';
import { measureBetterAuth } from './measurements/better-auth.ts';
import { measureDepth } from './measurements/depth.ts';
import { measureDisk } from './measurements/disk.ts';
import { measureExport } from './measurements/export.ts';
import { measureExpressOnPostgres, measureExpressOnSqlite } from './measurements/express.ts';
import { measureFilters } from './measurements/filters.ts';
import { measureImport } from './measurements/import.ts';
import { measureLog } from './measurements/log.ts';
import { measurePages } from './measurements/pages.ts';
import { measurePostgres } from './measurements/postgres.ts';
import { measureSize } from './measurements/size.ts';
import { measureStart } from './measurements/start.ts';
import { measureWalker } from './measurements/walker.ts';
import { createStore } from './roster/store.ts';
import { withPostgres } from './servers/postgres.ts';

const HELP = `npm run bench -- [options]
  --quick         small rosters (the largest too) and few rounds: 2 minutes; doesn't write docs/benchmarks.md
  --ten-million   also a roster of 10,000,000 keys: 5 minutes more, 7 GB in the temporary folder
  --keys N        keys in the large roster
  --rounds N      rounds of each comparison
  --seconds N     how long each side of a comparison is measured in a round
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    'ten-million': { type: 'boolean', default: false },
    keys: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit();
}
const sizes = values.quick
  ? {
      keys: 50_000,
      rounds: 3,
      seconds: 0.12,
      warmUp: 1.5,
      slowSeconds: 0.36,
      commandRounds: 1,
      adminRounds: 1,
      betterAuth: 2_000,
      disk: 20_000,
      small: 1_000,
      huge: 200_000,
    }
  : {
      keys: 1_000_000,
      rounds: 15,
      seconds: 0.25,
      warmUp: 5,
      slowSeconds: 1.5,
      commandRounds: 2,
      adminRounds: 1,
      betterAuth: 100_000,
      disk: 200_000,
      small: 10_000,
      huge: 10_000_000,
    };
const keys = Number(values.keys ?? sizes.keys);
const rounds = Number(values.rounds ?? sizes.rounds);
const seconds = Number(values.seconds ?? sizes.seconds);
const { warmUp } = sizes;
/** A peer answers few requests a second: it needs longer, and fewer rounds will do. */
const slow = { rounds: Math.min(rounds, 3), seconds: sizes.slowSeconds, clients: FEW };

const began = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'keyroster-bench-'));
const client = new LoadClient();
const bench: Bench = { keys, rounds, seconds, warmUp, folder, client, clients: MANY };
const sections: Section[] = [];
// PostgreSQL's folder and SQLite's temporary files lie in it too, and PostgreSQL runs as another user for root.
chmodSync(folder, 0o711);
process.env.TMPDIR = folder;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
// PostgreSQL takes a moment to end.
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));

const source = await keysFile(keys, 'oldest');
const large = await importedStore(source, keys);
await measure('pages', () => measurePages(bench, large));
await measure('depth', () => measureDepth(bench, large));
await measure('filters', () => measureFilters(bench, large));
await measure('a walk beside', () => measureWalker(bench, large));
await measure('start', () => measureStart(bench, large, keys));
if (values['ten-million']) await measureTenMillion();
await measure('log', () => measureLog(bench, large));
await measure('export', () => measureExport(bench, large, sizes.commandRounds));
await measure("the admin's commands", () => measureAdmin(bench, large, sizes.adminRounds));
await measure('Express on SQLite', () => measureExpressOnSqlite({ ...bench, ...slow }, large));
rmSync(large.file);
await measure('better-auth', async () => {
  const store = await madeStore(sizes.betterAuth);
  return measureBetterAuth({ ...bench, ...slow }, store, sizes.betterAuth);
});
await withPostgres(source, keys, async store => {
  await measure('PostgreSQL', () => measurePostgres({ ...bench, clients: FEW }, store));
  await measure('Express on PostgreSQL', () => measureExpressOnPostgres({ ...bench, ...slow }, store));
});
await measure('import', () => measureImport(bench, source, sizes.commandRounds));
await measure('disk', disk);

const minutes = (performance.now() - began) / 60_000;
const { shed } = client;
const document = documentOf(
  { keys, rounds, seconds, warmUp, slow, minutes, shed, sections },
  readFileSync(DOCUMENT, 'utf8'),
);
if (!values.quick) writeFileSync(DOCUMENT, document);
process.stdout.write(values.quick ? `\n${document}` : `\nwrote docs/benchmarks.md\n`);
process.exit();

async function measure(what: string, work: () => Promise<Section>): Promise<void> {
  progress(what);
  const section = await work();
  sections.push(section);
  process.stdout.write(`\n${sectionText(section)}\n`);
}

async function measureTenMillion(): Promise<void> {
  progress(`making ${sizes.huge.toLocaleString('en')} keys`);
  const huge = await madeStore(sizes.huge);
  const small = await madeStore(sizes.small);
  await measure('size', () => measureSize(bench, [small, sizes.small], [huge, sizes.huge]));
  await measure('start with them', () => measureStart(bench, huge, sizes.huge));
  rmSync(huge.file);
}

async function disk(): Promise<Section> {
  const stores = new Map<string, string>();
  for (const [order, what] of [
    ['oldest', 'oldest first'],
    ['newest', 'newest first'],
    ['random', 'in random order'],
  ] as const) {
    const { file } = await importedStore(await keysFile(sizes.disk, order), sizes.disk);
    stores.set(what, file);
  }
  return measureDisk(stores, sizes.disk);
}

async function keysFile(count: number, order: 'oldest' | 'newest' | 'random'): Promise<string> {
  progress(`making a file of ${count.toLocaleString('en')} keys`);
  const file = join(folder, `${count}-${order}.jsonl`);
  await run('bench/roster/make-file.ts', [String(count), order], { output: file });
  return file;
}

/** A store that this file was imported into, as an operator does it. */
async function importedStore(source: string, count: number): Promise<Store> {
  progress('importing it');
  const file = `${source}.db`;
  const secret = await createStore(file);
  await importFile(source, `sqlite:${file}`, { inserted: count });
  return { file, secret };
}

/** A store with so many keys, made faster than by an import. */
async function madeStore(count: number): Promise<Store> {
  const file = join(folder, `${count}.db`);
  const printed = `${file}.secret`;
  await run('bench/roster/make-store.ts', [file, String(count)], { output: printed });
  return { file, secret: readFileSync(printed, 'utf8') };
}

function progress(what: string): void {
  const time = new Date(performance.now() - began).toISOString().slice(14, 19);
  process.stderr.write(`${time} ${what}\n`);
}
