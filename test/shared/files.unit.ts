import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { flushFolder, makePrivateFolder } from '../../src/shared/files.ts';
import { temporaryFolder } from '../support/scope.ts';

test('a folder and those above it are made for their owner alone, and one that is there is left as it is', t => {
  const above = join(temporaryFolder(t), 'above');
  const folder = join(above, 'within');
  for (let times = 0; times < 2; times++) makePrivateFolder(folder);
  assert.deepEqual(
    [above, folder].map(path => statSync(path).mode & 0o777),
    [0o700, 0o700],
  );
});

test('a folder that can not be made is an error, also in one that takes none, such as /proc', t => {
  const file = join(temporaryFolder(t), 'file');
  writeFileSync(file, '');
  assert.throws(() => makePrivateFolder(join(file, 'x', 'y')), { code: 'ENOTDIR' });
  if (process.platform === 'linux')
    assert.throws(() => makePrivateFolder('/proc/nope/x'), { code: 'ENOENT', path: '/proc/nope' });
});

test('a folder is flushed, where it may be read; one that is gone is an error', t => {
  const folder = join(temporaryFolder(t), 'folder');
  assert.throws(() => flushFolder(folder), { code: 'ENOENT' });
  mkdirSync(folder, { mode: 0o300 });
  flushFolder(folder);
  chmodSync(folder, 0o700); // its owner couldn't remove it
});
