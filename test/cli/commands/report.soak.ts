import assert from 'node:assert/strict';
import { closeSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../../../bench/processes/run.ts';
import { BIN } from '../../support/command-line.ts';
import { jsonLines, record } from '../../support/import-file.ts';
import { temporaryFolder } from '../../support/scope.ts';

const KEYS = 1_000_000;
const BATCH = 10_000;
const START = Date.parse('2026-11-20T00:00:00Z');

/** Ten policies, of which most are broken by most keys. */
const policies = [
  { rule: 'max-age', days: 365 },
  { rule: 'max-age', days: 90, keys: { creator_type: ['service_account'] } },
  { rule: 'max-age', days: 30, keys: { status: ['inactive'] } },
  { rule: 'max-age', days: 0, level: 'warn' },
  { rule: 'no-default-workspace' },
  { rule: 'creators-left', creators: ['user_1'] },
  { rule: 'creators-allowed', creators: ['user_1'] },
  { rule: 'unique-names' },
  { rule: 'name-pattern', patterns: ['prod-*', '*-prod'] },
  { rule: 'max-keys-of-a-creator', max: 5 },
].map((policy, index) => ({ name: `policy-${index}`, ...policy }));

/** Of 100,000 creators in 1,000 workspaces; a tenth of the names are used more than once. */
function keyOf(number: number) {
  const id = (prefix: string, value: number) => `${prefix}_01${String(value).padStart(22, 'X')}`;
  return record(id('apikey', number), {
    name: number % 10 === 0 ? `Deployment of service ${(number / 10) % 10_000}` : `Developer key ${number}`,
    created_at: new Date(START - number * 120_000).toISOString(),
    created_by: { id: id('user', number % 100_000), type: number % 10 === 3 ? 'service_account' : 'user' },
    status: number % 7 === 0 ? 'inactive' : 'active',
    workspace_id: number % 5 === 0 ? null : id('wrkspc', number % 1_000),
  });
}

test('over 1,000,000 keys and ten policies takes under 300 MB, and the text is under 20 MB', async t => {
  const folder = temporaryFolder(t);
  const [roster, policiesFile, output] = ['roster.jsonl', 'policies.json', 'report.txt'].map(name =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(policiesFile, JSON.stringify({ policies }));
  const file = openSync(roster, 'w');
  for (let first = 0; first < KEYS; first += BATCH)
    writeSync(file, jsonLines(Array.from({ length: BATCH }, (_, index) => keyOf(first + index))));
  closeSync(file);
  const args = ['report', '--file', roster, '--policies', policiesFile];
  const { peakBytes, seconds } = await run(BIN, args, { output, exitCode: 1 });
  const { size } = statSync(output);
  t.diagnostic(
    `${seconds.toFixed(0)} s, ${(peakBytes / 1e6).toFixed(0)} MB of memory, ${(size / 1e6).toFixed(1)} MB of text`,
  );
  assert(peakBytes < 300e6, `${peakBytes} bytes of memory`);
  assert(size < 20e6, `${size} bytes of text`);
});
