import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runNode } from '../../support/command-line.ts';
import { OLDEST_NODE, olderNode, pretendingModule } from '../../support/older-node.ts';
import { temporaryFolder } from '../../support/scope.ts';

const BIN = fileURLToPath(new URL('../../../src/service/cli/bin.ts', import.meta.url));

test('on an older Node the command prints one clear line and exits with 1', async t => {
  // The published file is JavaScript. So is the source, but an older Node can't run a file that ends in .ts.
  const bin = join(temporaryFolder(t), 'bin.mjs');
  copyFileSync(BIN, bin);
  const old = olderNode(t);
  t.diagnostic(old.told);
  assert.deepEqual(await runNode([bin], { node: old.path, env: old.env }), {
    exitCode: 1,
    stdout: '',
    stderr: `keyroster: needs Node ${OLDEST_NODE} or newer, this is ${old.version}\n`,
  });
});

for (const [version, isNewEnough] of [
  ['24.6.9', false],
  ['24.10.0', true],
] as const)
  test(`the command ${isNewEnough ? 'runs' : "doesn't run"} on Node ${version}`, async t => {
    const { exitCode } = await runNode(['-r', pretendingModule(t, version), BIN, '--help']);
    assert.equal(exitCode, isNewEnough ? 0 : 1);
  });

test('package.json requires only what the library needs, so that npm warns no one who uses just that, and the docs say both', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const [, oldest = ''] = /^>=(.+)$/.exec(JSON.parse(read('src/service/package.json')).engines.node) ?? [];
  assert.equal(oldest, '22.2');
  assert.match(read('docs/library.md'), RegExp(`The library needs Node ${oldest} or later`));
  for (const page of ['CHANGELOG', 'CONTRIBUTING', 'docs/installing', 'docs/library'])
    assert.match(read(`${page}.md`), RegExp(`Node ${OLDEST_NODE}\\b`), page);
  assert.match(read('src/service/stores.ts'), RegExp(`need Node ${oldest} or later`));
  assert.match(read('src/service/stores.ts'), RegExp(`NODE_FOR_SQLITE = '${OLDEST_NODE}'`));
});
