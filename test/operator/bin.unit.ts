import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BINS, runNode } from '../support/command-line.ts';
import { OLDEST_FOR_ADMIN, OLDEST_NODE, olderNode, pretendingModule } from '../support/older-node.ts';
import { temporaryFolder } from '../support/scope.ts';

const programs = [
  { name: 'keyroster', oldest: OLDEST_NODE, older: '24.6.9', newer: '24.10.0' },
  { name: 'keyroster-admin', oldest: OLDEST_FOR_ADMIN, older: '22.20.9', newer: '22.100.0' },
] as const;

for (const { name, oldest, older, newer } of programs) {
  test(`on an older Node ${name} prints one clear line and exits with 1`, async t => {
    // The published file is JavaScript. So is the source, but an older Node can't run a file that ends in .ts.
    const bin = join(temporaryFolder(t), 'bin.mjs');
    copyFileSync(BINS[name], bin);
    const old = olderNode(t, oldest);
    t.diagnostic(old.told);
    assert.deepEqual(await runNode([bin], { node: old.path, env: old.env }), {
      exitCode: 1,
      stdout: '',
      stderr: `${name}: needs Node ${oldest} or newer, this is ${old.version}\n`,
    });
  });

  for (const version of [older, newer])
    test(`${name} ${version === newer ? 'runs' : "doesn't run"} on Node ${version}`, async t => {
      const { exitCode } = await runNode(['-r', pretendingModule(t, version), BINS[name], '--help']);
      assert.equal(exitCode, version === newer ? 0 : 1);
    });
}

test('the package requires only what the library needs, so that npm warns no one who uses just that, and the docs say both', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const [, oldest = ''] = /^>=(.+)$/.exec(JSON.parse(read('src/service/package.json')).engines.node) ?? [];
  assert.equal(oldest, '22.2');
  assert.match(read('docs/library.md'), RegExp(`The library needs Node ${oldest} or later`));
  for (const page of ['CHANGELOG', 'CONTRIBUTING', 'docs/installing', 'docs/library'])
    assert.match(read(`${page}.md`), RegExp(`Node ${OLDEST_NODE}\\b`), page);
  assert.match(read('src/service/stores.ts'), RegExp(`need Node ${oldest} or later`));
  assert.match(read('src/service/stores.ts'), RegExp(`NODE_FOR_SQLITE = '${OLDEST_NODE}'`));
  assert.equal(JSON.parse(read('src/admin/package.json')).engines.node, `>=${OLDEST_FOR_ADMIN}`);
  for (const page of ['docs/installing', 'src/admin/README'])
    assert.match(read(`${page}.md`), RegExp(`Node ${OLDEST_FOR_ADMIN}\\b`), page);
});
