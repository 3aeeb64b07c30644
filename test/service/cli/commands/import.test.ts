import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertFailed } from '../../../support/assert-failed.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { importContent, jsonLines, record, withoutImportId } from '../../../support/import-file.ts';
import { runCommand } from '../../../support/run-many-commands.ts';
import { numberedKeys, startSeededService } from '../../../support/seeded-service.ts';

test('import counts inserted, updated and unchanged keys', async t => {
  const store = await embeddedStore(t);
  const first = await importContent(store, jsonLines([record('k1'), record('k2'), record('k3')]));
  assert.deepEqual(
    { ...first, stdout: withoutImportId(first.stdout) },
    {
      exitCode: 0,
      stdout: 'inserted 3, updated 0, unchanged 0, refused 0\n',
      stderr: '',
    },
  );
  const changed = [record('k1'), record('k2', { name: 'New name' }), record('k4')];
  const second = await importContent(store, jsonLines(changed), '--json');
  const { import_id, ...counts } = JSON.parse(second.stdout);
  assert.match(import_id, /^import_/);
  assert.deepEqual(counts, { inserted: 1, updated: 1, unchanged: 1, refused: 0 });
  const stored = await store.records();
  assert.deepEqual(stored, [record('k4'), record('k3'), record('k2', { name: 'New name' }), record('k1')]);
});

test('import updates name, status, workspace and hint', async t => {
  const store = await embeddedStore(t);
  await importContent(store, jsonLines([record('k1'), record('k2'), record('k3'), record('k4')]));
  const changed = [
    record('k4', { name: 'New name' }),
    record('k3', { status: 'inactive' }),
    record('k2', { workspace_id: null }),
    record('k1', { partial_key_hint: 'sk-ven-api03-NEW...newA' }),
  ];
  assert.equal((await importContent(store, jsonLines(changed))).exitCode, 0);
  assert.deepEqual(await store.records(), changed);
  const back = changed.map(({ id }) => record(id));
  assert.match((await importContent(store, jsonLines(back))).stdout, /updated 4,/);
  assert.deepEqual(await store.records(), back);
});

test('a change to a fixed field is refused with its line and field, and nothing is imported', async t => {
  const store = await embeddedStore(t);
  const known = [record('k1'), record('k2'), record('k3'), record('k4', { status: 'archived' })].reverse();
  await importContent(store, jsonLines(known));
  const { exitCode, stdout, stderr } = await importContent(
    store,
    jsonLines([
      record('k0'),
      record('k1', { created_at: '2024-10-30T23:58:27.427723Z' }),
      record('k2', { created_by: { id: 'user_b', type: 'user' } }),
      record('k3', { created_by: { id: 'user_a', type: 'service_account' }, name: 'New name' }),
      record('k4', { status: 'active' }),
    ]),
  );
  assert.deepEqual([exitCode, stdout], [1, '']);
  assert.deepEqual(stderr.split('\n'), [
    'line 2: created_at: cannot change: the stored value is 2024-10-30T23:58:27.427722Z',
    'line 3: created_by.id: cannot change: the stored value is user_a',
    'line 4: created_by.type: cannot change: the stored value is user',
    'line 5: status: archived is final',
    'keyroster: 4 line(s) refused: nothing was imported',
    '',
  ]);
  assert.deepEqual(await store.records(), known);
});

test('a key can change between active and inactive and to archived, which is final but allows a rename', async t => {
  const store = await embeddedStore(t);
  const importStatus = async (status: string, name = 'Key') =>
    (await importContent(store, jsonLines([record('k', { status, name })]))).exitCode;
  const steps = ['inactive', 'active', 'inactive', 'archived'];
  for (const status of steps) assert.equal(await importStatus(status), 0);
  assert.equal(await importStatus('inactive'), 1);
  assert.equal(await importStatus('archived', 'Renamed'), 0);
  assert.deepEqual(await store.records(), [record('k', { status: 'archived', name: 'Renamed' })]);
});

test('import reads standard input when the file is -', async t => {
  const { env, organization, records } = await embeddedStore(t);
  const input = jsonLines([record('k1')]);
  const finished = await runCommand(['import', '-', '--organization', organization], { env, input });
  assert.deepEqual([finished.exitCode, finished.stderr], [0, '']);
  assert.deepEqual(await records(), [record('k1')]);
});

test('a missing file or a folder is refused in one line', async t => {
  const { env, folder, organization } = await embeddedStore(t);
  const from = (file: string) => runCommand(['import', file, '--organization', organization], { env });
  assertFailed(await from(join(folder, 'missing.jsonl')), 1, /can't read .*missing\.jsonl: ENOENT/);
  assertFailed(await from(folder), 1, /is a folder: give a file/);
});

test('an unknown organization is refused in one line, whether or not the file exists', async t => {
  const store = await embeddedStore(t);
  const unknown = { ...store, organization: 'org_unknown' as typeof store.organization };
  const message = /there is no organization\b.*: "keyroster organizations list" shows them/;
  assertFailed(await importContent(unknown, jsonLines([record('k1')])), 1, message);
  const missing = ['import', join(store.folder, 'missing.jsonl'), '--organization', 'org_unknown'];
  assertFailed(await runCommand(missing, { env: store.env }), 1, /there is no organization|can't read/);
});

test('what list writes of one service is imported as it is into the store of another', async t => {
  const keys = numberedKeys(3);
  const { service, secret } = await startSeededService(t, keys);
  const env = { KEYROSTER_BASE_URL: service.url, KEYROSTER_ADMIN_KEY: secret };
  const listed = await runCommand(['list', '--all', '--format', 'jsonl'], { env });
  const store = await embeddedStore(t);
  const imported = await importContent(store, listed.stdout);
  assert.match(imported.stdout, /^inserted 3, updated 0/);
  assert.equal(
    (await store.records()).map(each => JSON.stringify(each)).join(''),
    listed.stdout.replaceAll('\n', ''),
  );
});

test('a missing file, a missing organization or an invalid organization ID is wrong usage', async () => {
  const wrong: [string[], RegExp][] = [
    [
      ['import', '--organization', 'org_a'],
      /^error: missing required argument 'file'|^keyroster: missing required argument 'file'/,
    ],
    [['import', 'file.jsonl'], /^keyroster: import: give --organization, or --organization-field/],
    [['import', 'file.jsonl', '--organization', 'a b'], /^keyroster: --organization: must be 1 to 128 of/],
  ];
  await Promise.all(wrong.map(async ([args, message]) => assertFailed(await runCommand(args), 2, message)));
});
