import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../../src/version.ts';
import { temporaryFolder } from '../support/scope.ts';

const KEYROSTER = fileURLToPath(new URL('../../bin/keyroster', import.meta.url));
const onPosix = process.platform === 'win32' ? 'needs a shell' : false;

test('bin/keyroster runs by a link from any folder', { skip: onPosix }, t => {
  const folder = temporaryFolder(t);
  symlinkSync(KEYROSTER, join(folder, 'keyroster'));
  const printed = execFileSync('./keyroster', ['--version'], { cwd: folder, encoding: 'utf8' });
  assert.equal(printed, `${VERSION}\n`);
});

test('bin/keyroster says what is missing where npm ci has not run', { skip: onPosix }, t => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'bin'));
  copyFileSync(KEYROSTER, join(folder, 'bin', 'keyroster'));
  const { status, stderr } = spawnSync(join(folder, 'bin', 'keyroster'), [], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /^keyroster: run npm ci in \S+ first\n$/);
});
