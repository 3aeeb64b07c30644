import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runNode } from '../../support/command-line.ts';
import { OLDEST_NODE, olderNode, pretendingModule } from '../../support/older-node.ts';
import { BINS } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/scope.ts';

for (const [program, file] of Object.entries(BINS))
  test(`on an older Node ${program} prints one clear line and exits with 1`, async t => {
    // The published file is JavaScript. So is the source, but an older Node can't run a file that ends in .ts.
    const bin = join(temporaryFolder(t), 'bin.mjs');
    copyFileSync(file, bin);
    const old = olderNode(t);
    t.diagnostic(old.told);
    assert.deepEqual(await runNode([bin], { node: old.path, env: old.env }), {
      exitCode: 1,
      stdout: '',
      stderr: `${program}: needs Node ${OLDEST_NODE} or newer, this is ${old.version}\n`,
    });
  });

for (const [version, isNewEnough] of [
  ['24.6.9', false],
  ['24.10.0', true],
] as const)
  test(`both programs ${isNewEnough ? 'run' : "don't run"} on Node ${version}`, async t => {
    for (const file of Object.values(BINS)) {
      const { exitCode } = await runNode(['-r', pretendingModule(t, version), file, '--help']);
      assert.equal(exitCode, isNewEnough ? 0 : 1);
    }
  });

test('package.json requires only what the library needs, so that npm warns no one who uses just that, and the docs say both', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const [, oldest = ''] = /^>=(.+)$/.exec(JSON.parse(read('package.json')).engines.node) ?? [];
  assert.equal(oldest, '22.2');
  assert.match(read('docs/library.md'), RegExp(`The library needs Node ${oldest} or later`));
  for (const page of ['CHANGELOG', 'CONTRIBUTING', 'docs/installing', 'docs/library'])
    assert.match(read(`${page}.md`), RegExp(`Node ${OLDEST_NODE}\\b`), page);
  assert.match(read('src/service/stores.ts'), RegExp(`need Node ${oldest} or later`));
  assert.match(read('src/service/stores.ts'), RegExp(`NODE_FOR_SQLITE = '${OLDEST_NODE}'`));
});
