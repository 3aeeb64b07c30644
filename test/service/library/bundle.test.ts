import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { runNode } from '../../support/command-line.ts';
import { suiteScope, temporaryFolder } from '../../support/scope.ts';
import { SMALL_SERVER, SMALL_SERVER_PRINTS, storeForSmallServer } from '../../support/small-server.ts';
import { storeKinds } from '../../support/stores.ts';

/** Bundles the server with all that it imports into one file, as vendors do, with the bundler that the project has. */
async function bundleSmallServer(outDir: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: {
      alias: { keyroster: fileURLToPath(new URL('../../../src/service/library.ts', import.meta.url)) },
    },
    ssr: { noExternal: true },
    build: { ssr: SMALL_SERVER, outDir, rolldownOptions: { output: { codeSplitting: false } } },
  });
  return join(outDir, basename(SMALL_SERVER));
}

test('pageItem, and a service over a store of its own, are bundled without our stores and without any package', async t => {
  for (const [name, most] of [
    ['pageItem', 20_000],
    ['createKeyroster', 90_000],
  ] as const) {
    const entry = join(temporaryFolder(t), 'entry.js');
    const ownStore = fileURLToPath(new URL('../../../src/service/own-store.ts', import.meta.url));
    writeFileSync(entry, `export { ${name} } from ${JSON.stringify(ownStore)};`);
    const built = await build({
      configFile: false,
      logLevel: 'error',
      ssr: { noExternal: true },
      // As package.json says it of the package.
      build: {
        ssr: entry,
        write: false,
        minify: true,
        rolldownOptions: { treeshake: { moduleSideEffects: false } },
      },
    });
    assert('output' in built);
    const [...chunks] = built.output.filter(each => each.type === 'chunk');
    const modules = chunks.flatMap(({ moduleIds }) => moduleIds).join('\n');
    assert.doesNotMatch(modules, /service\/(sqlite|postgres|stores|writer)|node_modules/, name);
    const imports = chunks.flatMap(each => [...each.imports, ...each.dynamicImports]);
    for (const each of imports) assert(/^node:(?!sqlite)|\.js$/.test(each), each);
    const bytes = chunks.reduce((sum, { code }) => sum + code.length, 0);
    assert(bytes < most, `${name}: ${bytes} bytes`);
  }
});

describe('a server that is bundled into one file', () => {
  const scope = suiteScope();
  let folder: string;
  const run = (env: Record<string, string> = {}) => runNode(['server.mjs'], { cwd: folder, env });
  before(async () => {
    const bundle = await bundleSmallServer(temporaryFolder(scope));
    folder = temporaryFolder(scope); // without node_modules
    copyFileSync(bundle, join(folder, 'server.mjs'));
  });

  test('runs from an empty folder over a roster of its own', async () => {
    assert.deepEqual(await run(), { exitCode: 0, stdout: SMALL_SERVER_PRINTS, stderr: '' });
  });

  for (const kind of storeKinds) {
    test(`runs from an empty folder over ${kind.name}`, async () => {
      const finished = await run(await storeForSmallServer(scope, kind));
      assert.deepEqual(finished, { exitCode: 0, stdout: SMALL_SERVER_PRINTS, stderr: '' });
    });
  }

  test("can't serve the console, and says why", async () => {
    const expected =
      'TypeError: console: its files are not there: run keyroster from its package, not from a bundle\n';
    assert.equal((await run({ CONSOLE: '' })).stdout, expected);
  });
});
