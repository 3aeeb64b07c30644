import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
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
      alias: {
        keyroster: fileURLToPath(new URL('../../../src/service/library/library.ts', import.meta.url)),
      },
    },
    ssr: { noExternal: true },
    build: { ssr: SMALL_SERVER, outDir, rolldownOptions: { output: { codeSplitting: false } } },
  });
  return join(outDir, basename(SMALL_SERVER));
}

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
