import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BIN, type Run, run } from '../processes/run.ts';
import { perSecond, spreadText, table, wholeMegabytes } from '../results/markdown.ts';
import { atMost, type Goal, type Section } from '../results/section.ts';
import { median, spread } from '../results/statistics.ts';
import type { SqliteStore } from '../roster/store.ts';
import { withService } from '../servers/service.ts';
import type { Bench } from './bench.ts';

/** Each walks the whole roster. The exit code is 1 where keys break a policy. */
const commands: readonly {
  readonly args: readonly ['list' | 'report', ...string[]];
  readonly exitCode: 0 | 1;
}[] = [
  { args: ['list', '--all', '--format', 'jsonl'], exitCode: 0 },
  { args: ['list', '--all', '--format', 'csv'], exitCode: 0 },
  { args: ['report'], exitCode: 0 },
  { args: ['report', '--format', 'json'], exitCode: 0 },
  { args: ['report', '--format', 'html', '--max-age', '1d', '--no-default-workspace'], exitCode: 1 },
];

const maxMegabytes = { list: 150, report: 300 };

const ABOUT = `\`list\` and \`report\` fetch pages of 500 over HTTP from \`keyroster serve\` on the same cores, and write into a file. The last
command reports most of the keys as breaches. All names are different, which takes the most memory.`;

/** The admin's commands over HTTP, into a file. */
export function measureAdmin(
  { folder, keys }: Bench,
  { file, secret }: SqliteStore,
  rounds: number,
): Promise<Section> {
  const output = join(folder, 'printed');
  const adminKeyFile = join(folder, 'admin-key');
  writeFileSync(adminKeyFile, secret);
  return withService(`sqlite:${file}`, secret, async ({ port }) => {
    const rows: string[][] = [];
    const goals: Goal[] = [];
    for (const { args, exitCode } of commands) {
      const flags = ['--base-url', `http://127.0.0.1:${port}`, '--admin-key-file', adminKeyFile];
      const runs: Run[] = [];
      for (let round = 0; round < rounds; round++)
        runs.push(await run(BIN, [...args, ...flags], { output, exitCode }));
      const seconds = runs.map(each => each.seconds);
      const peak = Math.max(...runs.map(({ peakBytes }) => peakBytes));
      const figures = [
        spreadText(spread(seconds), 1),
        perSecond(keys, median(seconds)),
        wholeMegabytes(peak),
      ];
      rows.push([`\`${args.join(' ')}\``, ...figures]);
      goals.push(atMost(`\`${args.join(' ')}\`, peak memory`, maxMegabytes[args[0]], peak / 1e6, ' MB'));
    }
    rmSync(output);
    return {
      title: `The admin's commands over ${keys.toLocaleString('en')} keys`,
      about: ABOUT,
      lines: table(['command', 'seconds', 'keys/s', 'peak memory, MB'], rows),
      goals,
    };
  });
}
