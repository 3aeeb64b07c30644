import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportCounts } from '../src/roster/roster.ts';
import { perSecond, type Section, spreadText, table, wholeMegabytes } from './markdown.ts';
import { keyroster, type Run, run } from './run.ts';
import { median } from './statistics.ts';
import { createStore, ORGANIZATION } from './store.ts';

/** Imports a file with the command; checks that every line went where it should. */
export async function importFile(
  source: string,
  store: string,
  expected: Partial<ImportCounts>,
): Promise<Run> {
  const output = `${store}.counts`;
  const flags = ['--organization', ORGANIZATION, '--database', `sqlite:${store}`, '--json'];
  const result = await keyroster(output, 'import', source, ...flags);
  const counts = JSON.parse(readFileSync(output, 'utf8'));
  const all = { inserted: 0, updated: 0, unchanged: 0, refused: 0, ...expected };
  for (const [name, count] of Object.entries(all)) {
    if (counts[name] !== count) throw new Error(`import: ${name} ${counts[name]} of ${count}`);
  }
  return result;
}

/** The `import` command against a bare loop, both into an empty store, in turn; then the same file once more. */
export async function measureImport(
  folder: string,
  source: string,
  keys: number,
  rounds: number,
): Promise<Section> {
  const command: Run[] = [];
  const bare: Run[] = [];
  const again: Run[] = [];
  const store = join(folder, 'import.db');
  const inEmptyStore = async (work: () => Promise<void>) => {
    await createStore(store);
    await work();
    for (const end of ['', '-wal', '-shm']) rmSync(store + end, { force: true });
  };
  for (let round = 0; round < rounds; round++) {
    await inEmptyStore(async () => {
      bare.push(await run('bench/bare-import.ts', [source, store, ORGANIZATION]));
    });
    await inEmptyStore(async () => {
      command.push(await importFile(source, store, { inserted: keys }));
      again.push(await importFile(source, store, { unchanged: keys }));
    });
  }
  const row = (what: string, runs: readonly Run[]) => [
    what,
    spreadText(
      runs.map(({ seconds }) => seconds),
      1,
    ),
    perSecond(keys, median(runs.map(({ seconds }) => seconds))),
    spreadText(
      runs.map(({ seconds }, round) => (bare[round]?.seconds ?? 0) / seconds),
      2,
    ),
    wholeMegabytes(Math.max(...runs.map(({ peakBytes }) => peakBytes))),
  ];
  return {
    title: `Import of ${keys.toLocaleString('en')} keys`,
    lines: table(
      ['', 'seconds', 'keys/s', 'speed against the bare loop', 'peak memory, MB'],
      [
        row('bare loop', bare),
        row('`keyroster import`', command),
        row('the same file again: nothing changes', again),
      ],
    ),
  };
}
