import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { run } from '../../../../bench/processes/run.ts';
import { BINS } from '../../../support/command-line.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { saveRecords } from '../../../support/million.ts';
import { runInMemory, runIntoSlowPipe } from '../../../support/peak-memory.ts';
import { suiteScope, temporaryFolder } from '../../../support/scope.ts';
import { startServiceProcess } from '../../../support/service-process.ts';

describe('over 1,000,000 keys', () => {
  const scope = suiteScope();
  let folder: string;
  let env: Record<string, string>;
  const saved = (name: string) => join(folder, name);

  before(async () => {
    folder = temporaryFolder(scope);
    const { organization, secret, url, env: store } = await embeddedStore(scope);
    saveRecords(saved('newest-first.jsonl'));
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
});
