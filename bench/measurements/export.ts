import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FORMATS } from '../../src/formats/format.ts';
import { keyroster, type Run } from '../processes/run.ts';
import { perSecond, spreadText, table, wholeMegabytes } from '../results/markdown.ts';
import { atMost, type Goal, type Section } from '../results/section.ts';
import { median, spread } from '../results/statistics.ts';
import type { SqliteStore } from '../roster/store.ts';
import { ORGANIZATION } from '../roster/store.ts';
import type { Bench } from './bench.ts';

/** The `export` command in every format. */
export async function measureExport(
  { folder, keys }: Bench,
  store: SqliteStore,
  rounds: number,
): Promise<Section> {
  const output = join(folder, 'exported');
  const rows: string[][] = [];
  const goals: Goal[] = [];
  for (const format of FORMATS) {
    const runs: Run[] = [];
    for (let round = 0; round < rounds; round++) {
      const flags = ['--organization', ORGANIZATION, '--format', format];
      runs.push(await keyroster({ database: `sqlite:${store.file}`, output }, 'export', ...flags));
    }
    const seconds = runs.map(run => run.seconds);
    const peak = Math.max(...runs.map(({ peakBytes }) => peakBytes));
    rows.push([
      format,
      spreadText(spread(seconds), 1),
      perSecond(keys, median(seconds)),
      wholeMegabytes(peak),
    ]);
    goals.push(atMost(`export as ${format}, peak memory`, 150, peak / 1e6, ' MB'));
  }
  rmSync(output);
  return {
    title: `Export of ${keys.toLocaleString('en')} keys`,
    about: 'Into a file.',
    lines: table(['format', 'seconds', 'keys/s', 'peak memory, MB'], rows),
    goals,
  };
}
