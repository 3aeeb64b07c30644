import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { run } from '../../../../bench/processes/run.ts';
import { BINS } from '../../../support/command-line.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { saveRecords } from '../../../support/million.ts';
import { runInMemory, runIntoSlowPipe } from '../../../support/peak-memory.ts';
import { suiteScope, temporaryFolder } from '../../../support/scope.ts';
import { startServiceProcess } from '../../../support/service-process.ts';

/** Eight policies, of which most are broken by most keys. */
const policies = [
  { rule: 'max-age', days: 365 },
  { rule: 'max-age', days: 90, keys: { creator_type: ['service_account'] } },
  { rule: 'max-age', days: 30, keys: { status: ['inactive'] } },
  { rule: 'max-age', days: 0, level: 'warn' },
  { rule: 'no-default-workspace' },
  { rule: 'creators-left', creators: ['user_1'] },
  { rule: 'creators-allowed', creators: ['user_1'] },
  { rule: 'name-pattern', patterns: ['prod-*', '*-prod'] },
].map((policy, index) => ({ name: `policy-${index}`, ...policy }));

/** The keys that break a policy are kept until all are read. */
const MAX_PEAK_BYTES = 700e6;

describe('over 1,000,000 keys', () => {
  const scope = suiteScope();
  let folder: string;
  let env: Record<string, string>;
  const saved = (name: string) => join(folder, name);

  before(async () => {
    folder = temporaryFolder(scope);
    const { organization, secret, url, env: store } = await embeddedStore(scope);
    saveRecords(saved('newest-first.jsonl'));
    writeFileSync(saved('policies.json'), JSON.stringify({ policies }));
    const args = ['import', saved('newest-first.jsonl'), '--organization', organization];
    await run(BINS.keyroster, args, { env: store });
    const { port } = await startServiceProcess(scope, url);
    env = { KEYROSTER_BASE_URL: `http://127.0.0.1:${port}`, KEYROSTER_ADMIN_KEY: secret };
  });

  for (const format of ['table', 'csv', 'jsonl']) {
    const args = ['list', '--all', '--format', format];
    test(`list takes under 300 MB as ${format}`, async t => {
      await runInMemory(t, folder, { args, env });
    });
  }

  test('list takes under 300 MB into a pipe that is read slowly', t =>
    runIntoSlowPipe(t, folder, { args: ['list', '--all', '--format', 'jsonl'], env }));

  test('diff of a file and the service takes under 300 MB', async t => {
    await run(BINS['keyroster-admin'], ['list', '--all', '--format', 'jsonl'], {
      output: saved('old.jsonl'),
      env,
    });
    await runInMemory(t, folder, { args: ['diff', saved('old.jsonl')], env });
  });

  test('diff of a file and one in another order takes under 300 MB', async t => {
    saveRecords(saved('oldest-first.jsonl'), { oldestFirst: true });
    await runInMemory(t, folder, {
      args: ['diff', saved('newest-first.jsonl'), saved('oldest-first.jsonl')],
    });
  });

  const commandOf = (format: string) => {
    const [roster, file] = [saved('newest-first.jsonl'), saved('policies.json')];
    return {
      args: ['report', '--file', roster, '--policies', file, '--format', format],
      exitCode: 1,
      maxPeakBytes: MAX_PEAK_BYTES,
    };
  };

  test('report with eight policies takes under 700 MB as text, which is under 20 MB', async t => {
    const size = await runInMemory(t, folder, commandOf('table'));
    assert(size < 20e6, `${size} bytes of text`);
  });

  for (const format of ['html', 'csv'])
    test(`report takes under 700 MB as ${format}`, async t => {
      await runInMemory(t, folder, commandOf(format));
    });

  test('report takes under 700 MB as JSON into a pipe that is read slowly', t =>
    runIntoSlowPipe(t, folder, commandOf('json')));
});
