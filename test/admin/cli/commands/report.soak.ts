import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { saveRecords } from '../../../support/million.ts';
import { runInMemory, runIntoSlowPipe } from '../../../support/peak-memory.ts';
import { suiteScope, temporaryFolder } from '../../../support/scope.ts';

/** Ten policies, of which most are broken by most keys: 4.5 million breaches. */
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

/** The keys that break a policy are kept until all are read, and every name. */
const MAX_PEAK_BYTES = 700e6;

describe('report over 1,000,000 keys and ten policies', () => {
  const scope = suiteScope();
  let folder: string;
  const commandOf = (format: string) => {
    const [roster, file] = [join(folder, 'roster.jsonl'), join(folder, 'policies.json')];
    return {
      args: ['report', '--file', roster, '--policies', file, '--format', format],
      exitCode: 1,
      maxPeakBytes: MAX_PEAK_BYTES,
    };
  };

  before(() => {
    folder = temporaryFolder(scope);
    saveRecords(join(folder, 'roster.jsonl'));
    writeFileSync(join(folder, 'policies.json'), JSON.stringify({ policies }));
  });

  test('takes under 700 MB as text, which is under 20 MB', async t => {
    const size = await runInMemory(t, folder, commandOf('table'));
    assert(size < 20e6, `${size} bytes of text`);
  });

  test('takes under 700 MB as CSV', async t => {
    await runInMemory(t, folder, commandOf('csv'));
  });

  test('takes under 700 MB as JSON into a pipe that is read slowly', t =>
    runIntoSlowPipe(t, folder, commandOf('json')));
});
