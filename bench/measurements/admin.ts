import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BIN, type Run, run } from '../processes/run.ts';
import { perSecond, spreadText, table, wholeMegabytes } from '../results/markdown.ts';
import { atMost, type Goal, type Section } from '../results/section.ts';
import { median, spread } from '../results/statistics.ts';
import { creatorId } from '../roster/make-api-keys.ts';
import type { SqliteStore } from '../roster/store.ts';
import { withService } from '../servers/service.ts';
import type { Bench } from './bench.ts';

/** Files in the folder of the benchmark. */
const SAVED = 'saved.jsonl';
const POLICIES = 'policies.json';

/** Most are broken by most keys. */
const policies = [
  { rule: 'max-age', days: 1 },
  { rule: 'max-age', days: 90, keys: { creator_type: ['user'] } },
  { rule: 'max-age', days: 30, keys: { status: ['inactive'] } },
  { rule: 'max-age', days: 0, level: 'warn' },
  { rule: 'no-default-workspace' },
  { rule: 'creators-left', creators: [creatorId(1)] },
  { rule: 'creators-allowed', creators: [creatorId(1)] },
  { rule: 'unique-names' },
  { rule: 'name-pattern', patterns: ['prod-*', '*-prod'] },
  { rule: 'max-keys-of-a-creator', max: 5 },
].map((policy, index) => ({ name: `policy-${index}`, ...policy }));

/** Each walks the whole roster. The exit code is 1 where keys break a policy. */
const commands: readonly {
  readonly args: readonly [keyof typeof maxMegabytes, ...string[]];
  readonly exitCode: 0 | 1;
}[] = [
  { args: ['list', '--all', '--format', 'jsonl'], exitCode: 0 },
  { args: ['list', '--all', '--format', 'csv'], exitCode: 0 },
  { args: ['list', '--all', '--format', 'table'], exitCode: 0 },
  { args: ['diff', SAVED], exitCode: 0 },
  { args: ['report'], exitCode: 0 },
  { args: ['report', '--format', 'json'], exitCode: 0 },
  { args: ['report', '--format', 'html', '--max-age', '1d', '--no-default-workspace'], exitCode: 1 },
  { args: ['report', '--policies', POLICIES], exitCode: 1 },
  { args: ['report', '--format', 'json', '--policies', POLICIES], exitCode: 1 },
];

const maxMegabytes = { list: 150, diff: 300, report: 300 };

const ABOUT = `The commands fetch pages of 1,000 over HTTP from \`keyroster serve\` on the same cores, and write into a file. \`diff\`
compares the service with what \`list\` saved of it. The last three report most of the keys as breaches, the last two of ten policies.
All names are different, which takes the most memory.`;

/** The admin's commands over HTTP, into a file. */
export function measureAdmin(
  { folder, keys }: Bench,
  { file, secret }: SqliteStore,
  rounds: number,
): Promise<Section> {
  const output = join(folder, 'printed');
  const adminKeyFile = join(folder, 'admin-key');
  writeFileSync(adminKeyFile, secret, { mode: 0o600 });
  writeFileSync(join(folder, POLICIES), JSON.stringify({ policies }));
  return withService(`sqlite:${file}`, secret, async ({ port }) => {
    const flags = ['--base-url', `http://127.0.0.1:${port}`, '--admin-key-file', adminKeyFile];
    await run(BIN, ['list', '--all', '--format', 'jsonl', ...flags], { output: join(folder, SAVED) });
    const rows: string[][] = [];
    const goals: Goal[] = [];
    for (const { args, exitCode } of commands) {
      const withFiles = args.map(arg => (arg === SAVED || arg === POLICIES ? join(folder, arg) : arg));
      const runs: Run[] = [];
      for (let round = 0; round < rounds; round++)
        runs.push(await run(BIN, [...withFiles, ...flags], { output, exitCode }));
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
    rmSync(join(folder, SAVED));
    return {
      title: `The admin's commands over ${keys.toLocaleString('en')} keys`,
      about: ABOUT,
      lines: table(['command', 'seconds', 'keys/s', 'peak memory, MB'], rows),
      goals,
    };
  });
}
