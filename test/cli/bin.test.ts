import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { accessSync, constants, copyFileSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runNode } from '../support/command-line.ts';
import { temporaryFolder } from '../support/scope.ts';

const BIN = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
const OLDEST_NODE = '24.7';

test('on an older Node the command prints one clear line and exits with 1', async t => {
  // The published file is JavaScript. So is the source, but an older Node can't run a file that ends in .ts.
  const bin = join(temporaryFolder(t), 'bin.mjs');
  copyFileSync(BIN, bin);
  const old = olderNode();
  t.diagnostic(
    old
      ? `run by Node ${old.version}`
      : 'no older Node found: run by this one, which reports an older version',
  );
  const finished = old
    ? await runNode([bin], { node: old.path })
    : await runNode(['--import', pretendVersion('20.19.0'), bin]);
  assert.deepEqual(finished, {
    exitCode: 1,
    stdout: '',
    stderr: `keyroster: needs Node ${OLDEST_NODE} or newer, this is ${old?.version ?? '20.19.0'}\n`,
  });
});

for (const [version, isNewEnough] of [
  ['24.6.9', false],
  ['24.7.0', true],
  ['24.10.0', true],
  ['100.0.0', true],
] as const)
  test(`the command ${isNewEnough ? 'runs' : "doesn't run"} on Node ${version}`, async () => {
    const { exitCode } = await runNode(['--import', pretendVersion(version), BIN, '--help']);
    assert.equal(exitCode, isNewEnough ? 0 : 1);
  });

test('package.json requires only what the library needs, so that npm warns no one who uses just that', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const [, oldest = ''] = /^>=(.+)$/.exec(JSON.parse(read('package.json')).engines.node) ?? [];
  assert.equal(oldest, '22.2');
  assert.match(read('docs/library.md'), RegExp(`The library needs Node ${oldest} or later`));
  assert.match(read('docs/library.md'), RegExp(`\`sqlite:\` and the command line need Node ${OLDEST_NODE}`));
  assert.match(read('src/stores.ts'), RegExp(`need Node ${oldest} or later`));
  assert.match(read('src/stores.ts'), RegExp(`NODE_FOR_SQLITE = '${OLDEST_NODE}'`));
});

/** The first Node on the PATH that is too old for this package, if there is one. */
function olderNode(): { path: string; version: string } | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, 'node');
    try {
      accessSync(path, constants.X_OK);
      const version = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();
      if (Number.parseInt(version, 10) < Number.parseInt(OLDEST_NODE, 10)) return { path, version };
    } catch {
      // no Node in this folder
    }
  }
  return undefined;
}

/** A module that runs before the command and sets `process.versions.node` to this version. */
function pretendVersion(version: string): string {
  const code = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
