import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { fromJsonLines, jsonLines } from '../../../support/import-file.ts';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';

test('admin-keys create --from writes new keys with their secrets to a file that only its owner can read', async t => {
  const { env, folder, organization } = await embeddedStore(t);
  const [from, to] = [join(folder, 'wanted.jsonl'), join(folder, 'secrets.jsonl')];
  writeFileSync(from, jsonLines(['audit', 'ci'].map(name => ({ organization_id: organization, name }))));
  const create = (file: string) =>
    runCommand(['admin-keys', 'create', '--from', from, '--to', file], { env });
  const counts = 'inserted 2, updated 0, unchanged 0, refused 0\n';
  assert.deepEqual(await create(to), { exitCode: 0, stdout: counts, stderr: '' });
  assert.equal(statSync(to).mode & 0o777, 0o600);
  const made = fromJsonLines(readFileSync(to, 'utf8'));
  const listed = JSON.parse((await runCommand(['admin-keys', 'list', '--json'], { env })).stdout);
  assert.deepEqual(
    made.map(({ secret, ...key }) => key).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    listed.slice(1),
  );
  for (const { secret } of made) assert.match(secret, /^vendor-admin01-\w{49}$/);
  assertFailed(await create(to), 1, /--to: .* already exists: give another name/);
  const other = join(folder, 'other.jsonl');
  const again = await create(other);
  assert.equal(again.stdout, 'inserted 0, updated 0, unchanged 2, refused 0\n');
  assert.ok(!existsSync(other));
});

test('admin-keys create --from makes nothing when a line is refused, and leaves no file', async t => {
  const { env, folder, organization } = await embeddedStore(t);
  const to = join(folder, 'secrets.jsonl');
  const input = jsonLines([{ organization_id: organization, name: 'ci' }, { organization_id: 'unknown' }]);
  const finished = await runCommand(['admin-keys', 'create', '--from', '-', '--to', to], { env, input });
  assert.equal(finished.exitCode, 1);
  assert.match(finished.stderr, /^line 2: organization_id: there is no organization with this ID/);
  assert.ok(!existsSync(to));
  assert.equal(JSON.parse((await runCommand(['admin-keys', 'list', '--json'], { env })).stdout).length, 1);
});
