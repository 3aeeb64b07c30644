import assert from 'node:assert/strict';
import { execFileSync, type StdioOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './support/scope.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Clones the last commit, makes the packages, and returns the digests of the tarballs. */
function packedClone(parent: string, folder: string, umask: number, env: Record<string, string>): string[] {
  const previous = process.umask(umask);
  try {
    const clone = join(parent, folder);
    execFileSync('git', ['clone', '--quiet', ROOT, clone]);
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    const options = {
      cwd: clone,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'] satisfies StdioOptions,
    };
    execFileSync('npm', ['run', '-s', 'packages', '--', 'made'], options);
    const digest = (name: string) =>
      createHash('sha256')
        .update(readFileSync(join(clone, 'made', name)))
        .digest('hex');
    return readdirSync(join(clone, 'made')).map(name => `${name} ${digest(name)}`);
  } finally {
    process.umask(previous);
  }
}

test('npm run packages gives the same bytes in another clone, folder, umask, time zone, language and second', async t => {
  const parent = temporaryFolder(t);
  const first = packedClone(parent, 'first', 0o022, {});
  await wait(2_000); // the precision of times in a tarball and in gzip's header is a second
  const second = packedClone(parent, 'deeper/another folder', 0o077, {
    TZ: 'Asia/Tokyo',
    LANG: 'tr_TR.UTF-8',
  });
  assert.equal(first.length, 3);
  assert.deepEqual(second, first);
});
