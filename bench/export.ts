import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FORMATS } from '../src/formats/format.ts';
import { perSecond, type Section, spreadText, table, wholeMegabytes } from './markdown.ts';
import { keyroster, type Run } from './run.ts';
import { median } from './statistics.ts';
import { ORGANIZATION } from './store.ts';

/** The `export` command into a file, in every format. */
export async function measureExport(
  folder: string,
  store: string,
  keys: number,
  rounds: number,
): Promise<Section> {
  const output = join(folder, 'exported');
  const rows: string[][] = [];
  for (const format of FORMATS) {
    const runs: Run[] = [];
    for (let round = 0; round < rounds; round++) {
      const flags = ['--organization', ORGANIZATION, '--database', `sqlite:${store}`, '--format', format];
      runs.push(await keyroster(output, 'export', ...flags));
    }
    const seconds = runs.map(run => run.seconds);
    const peak = Math.max(...runs.map(({ peakBytes }) => peakBytes));
    rows.push([format, spreadText(seconds, 1), perSecond(keys, median(seconds)), wholeMegabytes(peak)]);
  }
  rmSync(output);
  return {
    title: `Export of ${keys.toLocaleString('en')} keys`,
    lines: table(['format', 'seconds', 'keys/s', 'peak memory, MB'], rows),
  };
}
