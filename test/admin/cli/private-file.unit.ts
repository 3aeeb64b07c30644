import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
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
});

test('what is no regular file is written as it stands: a FIFO, and what a link leads to', async t => {
  const folder = temporaryFolder(t);
  const [fifo, link, target] = ['fifo', 'link', 'target'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ];
  execFileSync('mkfifo', [fifo]);
  const read = readFile(fifo, 'utf8');
  await writePrivately(fifo, ['through']);
  assert.equal(lstatSync(fifo).isFIFO() && (await read), 'through');
  writeFileSync(target, 'before and longer');
  symlinkSync(target, link);
  await writePrivately(link, ['new']);
  assert.deepEqual([lstatSync(link).isSymbolicLink(), readFileSync(target, 'utf8')], [true, 'new']);
  await assert.rejects(writePrivately(folder, ['x']), /can't write .*: EISDIR/);
  assert.deepEqual(readdirSync(folder), ['fifo', 'link', 'target']);
});
