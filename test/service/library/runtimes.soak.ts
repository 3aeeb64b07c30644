/** The installed package in the runtimes that vendors have. These come from the registry, so this isn't in npm test. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { runNode } from '../../support/command-line.ts';
import { type InstalledPackages, install, installPackages } from '../../support/installed-package.ts';
import { sqlite } from '../../support/roster.ts';
import { suiteScope, temporaryFolder } from '../../support/scope.ts';
import { SMALL_SERVER, SMALL_SERVER_PRINTS, storeForSmallServer } from '../../support/small-server.ts';
import { postgres } from '../../support/stores.ts';

interface Runtime {
  readonly packages: readonly string[];
  /** Its program, of the folder `node_modules`. */
  readonly program: string;
  readonly args?: readonly string[];
  readonly hasSqlite: boolean;
}

const platform = `${process.platform}-${process.arch}`;
const nodeRuntime = (version: string, hasSqlite: boolean, args: readonly string[] = []): Runtime => ({
  packages: [`node-${version}@npm:node-${platform}@${version}`],
  program: `node-${version}/bin/node`,
  args,
  hasSqlite,
});

/** The oldest Node of package.json, the oldest for the embedded store with the one before, and the latest of each line. */
const runtimes: Readonly<Record<string, Runtime>> = {
  'Node 22.2.0': nodeRuntime('22.2.0', false),
  'Node 22': nodeRuntime('22', false),
  'Node 24.6.0': nodeRuntime('24.6.0', false),
  'Node 24.7.0': nodeRuntime('24.7.0', true, ['--disable-warning=ExperimentalWarning']),
  'Node 24': nodeRuntime('24', true),
  'Node 26': nodeRuntime('26', true),
  Bun: { packages: ['bun'], program: `@oven/bun-${platform}/bin/bun`, hasSqlite: true },
  Deno: {
    packages: ['deno'],
    program: `@deno/${platform}${process.platform === 'linux' ? '-glibc' : ''}/deno`,
    args: ['run', '--allow-all', '--quiet'],
    hasSqlite: true,
  },
};

const SERVED = { exitCode: 0, stdout: SMALL_SERVER_PRINTS, stderr: '' };

describe('the installed package', () => {
  const scope = suiteScope();
  let installed: InstalledPackages;
  before(async () => {
    installed = await installPackages(scope);
    copyFileSync(SMALL_SERVER, join(installed.folder, 'server.js'));
    writeFileSync(
      join(installed.folder, 'load-all.js'),
      loadAll(installed.keyroster.files.map(({ path }) => path)),
    );
  });

  for (const [name, { packages, program, args = [], hasSqlite }] of Object.entries(runtimes))
    describe(`in ${name}`, () => {
      const runtimeScope = suiteScope();
      const folder = temporaryFolder(runtimeScope);
      const node = join(folder, 'node_modules', program);
      let missing: string | undefined;
      const run = (env: Record<string, string>, script = 'server.js') =>
        runNode([...args, script], { node, env, cwd: installed.folder });
      before(async () => {
        missing = await install(folder, packages);
        if (!existsSync(node)) missing ??= `nothing was tested: ${packages} has no ${program}`;
      });

      test('authenticates and lists over a roster of its own, by fetch and by handle', async t => {
        if (missing) return t.skip(missing);
        assert.deepEqual(await run({}), SERVED);
      });

      test('authenticates and lists over PostgreSQL', async t => {
        if (missing) return t.skip(missing);
        assert.deepEqual(await run(await storeForSmallServer(t, postgres)), SERVED);
      });

      test('loads every module but those of the embedded store and of the command line', async t => {
        if (missing) return t.skip(missing);
        assert.deepEqual(await run({}, 'load-all.js'), { exitCode: 0, stdout: 'loaded\n', stderr: '' });
      });

      test(hasSqlite ? 'lists over SQLite' : 'says that sqlite: needs a newer Node', async t => {
        if (missing) return t.skip(missing);
        const finished = await run(await storeForSmallServer(t, sqlite));
        if (hasSqlite) assert.deepEqual(finished, SERVED);
        else
          assert.match(
            finished.stdout,
            /^Refused: database: sqlite:FILE needs Node 24\.7 or later; .*22\.2 or later\n$/,
          );
      });

      test(
        hasSqlite ? 'has a command line' : 'says in one line that the command line needs a newer Node',
        async t => {
          if (missing) return t.skip(missing);
          const { exitCode, stdout, stderr } = await run({}, 'node_modules/keyroster/dist/operator/bin.js');
          if (hasSqlite) assert.match(stdout + stderr, /^Usage: keyroster/);
          else {
            assert.equal(exitCode, 1);
            assert.match(stderr, /^keyroster: needs Node 24\.7 or newer, this is 2[24]\.\d+\.\d+\n$/);
          }
        },
      );
    });
});

/** A program that imports the modules that have to run everywhere, as some only run after an error or with an option. */
function loadAll(files: readonly string[]): string {
  const modules = files.filter(file =>
    /^dist\/(?!service\/cli\/|service\/sqlite\/|shared\/command\/|console\/).*\.js$/.test(file),
  );
  assert(modules.length > 100);
  const imports = modules.map(file => `import './node_modules/keyroster/${file}';`);
  return `${imports.join('\n')}\nconsole.log('loaded');\n`;
}
