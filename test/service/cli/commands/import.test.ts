import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { importContent, jsonLines, record, withoutImportId } from '../../../support/import-file.ts';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';
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
