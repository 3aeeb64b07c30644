import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type EmbeddedStore, embeddedStore } from '../../support/embedded-store.ts';
import { importContent, jsonLines, record } from '../../support/import-file.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';
import { type Scope, suiteScope } from '../../support/scope.ts';

describe('export', () => {
  const scope: Scope = suiteScope();
  let store: EmbeddedStore;
  const exported = (...args: string[]) =>
    runCommand(['export', '--organization', store.organization, ...args], { env: store.env });
  const newestFirst = [record('k3', { name: 'a,"b"\n', workspace_id: null }), record('k2'), record('k1')];

  before(async () => {
    store = await embeddedStore(scope);
    await importContent(store, jsonLines(newestFirst));
  });

  test('writes JSON Lines, newest first, and CSV with --format csv', async () => {
    for (const args of [[], ['--format', 'jsonl']])
      assert.deepEqual(await exported(...args), { exitCode: 0, stdout: jsonLines(newestFirst), stderr: '' });
    const rest = '2024-10-30T23:58:27.427722Z,user_a,user,sk-ven-api03-R2D...igAA,active';
    const { stdout, stderr, exitCode } = await exported('--format', 'csv');
    assert.deepEqual([exitCode, stderr], [0, '']);
    assert.equal(
      stdout,
      `id,name,created_at,created_by.id,created_by.type,partial_key_hint,status,workspace_id
k3,"a,""b""\n",${rest},
k2,Key k2,${rest},wrkspc_a
k1,Key k1,${rest},wrkspc_a
`,
    );
  });

  test('writes nothing for an empty organization, or only a CSV header, which import accepts', async () => {
    const { env } = store;
    await runCommand(['organizations', 'create', 'Empty', '--id', 'org_empty'], { env });
    const args = ['--organization', 'org_empty'];
    assert.equal((await runCommand(['export', ...args], { env })).stdout, '');
    const header = await runCommand(['export', ...args, '--format', 'csv'], { env });
    assert.equal(header.stdout.split('\n').length, 2);
    const again = await runCommand(['import', '-', ...args, '--format', 'csv'], {
      env,
      input: header.stdout,
    });
    assert.equal(again.stdout, 'inserted 0, updated 0, unchanged 0, refused 0\n');
  });

  test('refuses an unknown organization, and wrong options as wrong usage', async () => {
    const run = (...args: string[]) => runCommand(['export', ...args], { env: store.env });
    assertFailed(await run('--organization', 'org_unknown'), 1, /there is no organization/);
    assertFailed(await run(), 2, /give --organization, or --all-organizations/);
    assertFailed(await exported('--exact'), 2, /--exact: is for CSV, and there is none/);
  });
});

test('CSV is safe for spreadsheets or, with --exact, as the text is; import reads both unchanged', async t => {
  const store = await embeddedStore(t);
  const { env, organization } = store;
  const names = ['=1+1', "'=1", 'x;=1', '\t@a', "'Tis"];
  const records = names.map((name, number) => record(`-k${9 - number}`, { name }));
  assert.equal((await importContent(store, jsonLines(records))).exitCode, 0);
  for (const form of [[], ['--exact']]) {
    const csv = ['export', '--organization', organization, '--format', 'csv', ...form];
    const { stdout } = await runCommand(csv, { env });
    assert.equal(stdout.includes("'=1+1"), form.length === 0);
    const read = ['import', '-', '--organization', organization, '--format', 'csv', ...form];
    assert.match(
      (await runCommand(read, { env, input: stdout })).stdout,
      /^inserted 0, updated 0, unchanged 5,/,
    );
  }
});
