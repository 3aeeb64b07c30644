import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Run, run } from '../processes/run.ts';
import { perSecond, spreadText, table, wholeMegabytes } from '../results/markdown.ts';
import { atLeast, atMost, type Section } from '../results/section.ts';
import { median, spread } from '../results/statistics.ts';
import { importFile } from '../roster/import-file.ts';
import { createStore, ORGANIZATION } from '../roster/store.ts';
import type { Bench } from './bench.ts';

const ABOUT = `The bare loop (\`bench/roster/bare-import.ts\`) inserts the same rows into the same schema with \`node:sqlite\`, in one
transaction, and checks nothing. The command checks every field, looks for duplicate lines and refused changes, and compares
each key with what is stored. The file is sorted oldest first, the best case for the bare loop.`;

/** The `import` command against a bare loop, in turn, each into an empty store. Then the command on the same file again. */
export async function measureImport(
  { folder, keys }: Bench,
  source: string,
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
      bare.push(await run('bench/roster/bare-import.ts', [source, store, ORGANIZATION]));
    });
    await inEmptyStore(async () => {
      command.push(await importFile(source, `sqlite:${store}`, { inserted: keys }));
      again.push(await importFile(source, `sqlite:${store}`, { unchanged: keys }));
    });
  }
  const seconds = (runs: readonly Run[]) => runs.map(run => run.seconds);
  const speed = (runs: readonly Run[]) =>
    spread(seconds(runs).map((figure, round) => (bare[round]?.seconds ?? 0) / figure));
  const peak = (runs: readonly Run[]) => Math.max(...runs.map(({ peakBytes }) => peakBytes));
  const row = (what: string, runs: readonly Run[]) => [
    what,
    spreadText(spread(seconds(runs)), 1),
    perSecond(keys, median(seconds(runs))),
    spreadText(speed(runs), 2),
    wholeMegabytes(peak(runs)),
  ];
  return {
    about: ABOUT,
    title: `Import of ${keys.toLocaleString('en')} keys`,
    lines: table(
      ['', 'seconds', 'keys/s', 'speed against the bare loop', 'peak memory, MB'],
      [
        row('bare loop', bare),
        row('`keyroster import`', command),
        row('the same file again: nothing changes', again),
      ],
    ),
    goals: [
      atLeast('import against a bare loop', 0.5, speed(command)),
      atMost('import, peak memory', 300, peak(command) / 1e6, ' MB'),
      atMost('import of the same file again, peak memory', 300, peak(again) / 1e6, ' MB'),
    ],
  };
}
