/** The installed package in the bundlers that vendors have. These come from the registry, so this isn't in npm test. */
import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { runNode } from '../../support/command-line.ts';
import { type InstalledPackages, install, installPackages } from '../../support/installed-package.ts';
import { sqlite } from '../../support/roster.ts';
import { suiteScope, temporaryFolder } from '../../support/scope.ts';
import { SMALL_SERVER, SMALL_SERVER_PRINTS, storeForSmallServer } from '../../support/small-server.ts';
import { postgres } from '../../support/stores.ts';

const REQUIRE = "import{createRequire}from'node:module';const require=createRequire(import.meta.url)";

/** Each is a program that bundles `server.js` into the file that it is named by. */
const bundlers: Readonly<Record<string, string>> = {
  'esbuild.cjs': `
    import { build } from 'esbuild';
    await build({ entryPoints: ['server.js'], bundle: true, platform: 'node', outfile: 'out/esbuild.cjs' });`,
  'esbuild.mjs': `
    import { build } from 'esbuild';
    const banner = { js: ${JSON.stringify(REQUIRE)} };
    const format = { format: 'esm', banner, outfile: 'out/esbuild.mjs' };
    await build({ entryPoints: ['server.js'], bundle: true, platform: 'node', ...format });`,
  'webpack.cjs': `
    import webpack from 'webpack';
    const output = { path: import.meta.dirname + '/out', filename: 'webpack.cjs' };
    const plugins = [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })];
    const stats = await new Promise((resolve, reject) =>
      webpack({ entry: './server.js', target: 'node', mode: 'production', output, plugins },
        (error, stats) => error ? reject(error) : resolve(stats)));
    if (stats.hasErrors()) throw new Error(stats.toString('errors-only'));`,
  'rollup.mjs': `
    import { rollup } from 'rollup';
    import commonjs from '@rollup/plugin-commonjs';
    import json from '@rollup/plugin-json';
    import resolve from '@rollup/plugin-node-resolve';
    const plugins = [resolve({ preferBuiltins: true }), commonjs({ ignoreTryCatch: true }), json()];
    const bundle = await rollup({ input: 'server.js', plugins, onLog() {} });
    await bundle.write({ file: 'out/rollup.mjs', format: 'es', inlineDynamicImports: true });`,
};

describe('the installed package', () => {
  const scope = suiteScope();
  let installed: InstalledPackages;
  let missing: string | undefined;
  before(async () => {
    installed = await installPackages(scope);
    copyFileSync(SMALL_SERVER, join(installed.folder, 'server.js'));
    const plugins = ['commonjs', 'json', 'node-resolve'].map(name => `@rollup/plugin-${name}`);
    missing = await install(installed.folder, ['esbuild', 'webpack', 'rollup', ...plugins]);
  });

  for (const [file, program] of Object.entries(bundlers))
    test(`runs as ${file} from an empty folder, over every store, and says that the console isn't there`, async t => {
      if (missing) return t.skip(missing);
      const script = join(installed.folder, `make-${basename(file)}.mjs`);
      writeFileSync(script, program);
      const bundled = await runNode([script], { cwd: installed.folder });
      assert.equal(bundled.exitCode, 0, bundled.stderr);
      const folder = temporaryFolder(t);
      copyFileSync(join(installed.folder, 'out', file), join(folder, file));

      const run = (env: Record<string, string>) => runNode([file], { cwd: folder, env });
      const expected = { exitCode: 0, stdout: SMALL_SERVER_PRINTS, stderr: '' };
      assert.deepEqual(await run({}), expected);
      for (const kind of [sqlite, postgres])
        assert.deepEqual(await run(await storeForSmallServer(t, kind)), expected, kind.name);
      assert.match((await run({ CONSOLE: '' })).stdout, /^TypeError: console: its files are not there/);
    });
});
