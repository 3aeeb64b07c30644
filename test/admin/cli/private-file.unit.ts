import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writePrivately } from '../../../src/admin/cli/private-file.ts';
import { temporaryFolder } from '../../support/scope.ts';

test('a file is replaced whole or not at all, for its owner alone, and no other file is touched', async t => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'a.csv');
  for (const name of ['a.csv', '.a.csv.tmp']) writeFileSync(join(folder, name), 'before', { mode: 0o644 });
  const failing = async function* () {
    yield 'half';
    throw new Error('stopped');
  };
  await assert.rejects(writePrivately(file, failing()), /stopped/);
  assert.deepEqual([readFileSync(file, 'utf8'), readdirSync(folder)], ['before', ['.a.csv.tmp', 'a.csv']]);
  await writePrivately(file, ['new']);
  assert.deepEqual([readFileSync(file, 'utf8'), statSync(file).mode & 0o777], ['new', 0o600]);
  assert.equal(readFileSync(join(folder, '.a.csv.tmp'), 'utf8'), 'before');
  await assert.rejects(writePrivately(folder, ['x']), /can't write .*: EISDIR/);
});
