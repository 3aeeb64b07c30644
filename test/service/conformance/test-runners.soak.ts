import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { installPackages } from '../../support/installed-package.ts';
import { suiteScope } from '../../support/scope.ts';

const VERSIONS = ['vitest@5.1.1', 'jest@30.5.2'];

/** How each test runner is started, and where its `test` is. */
const runners = {
  Vitest: {
    args: ['node_modules/vitest/vitest.mjs', 'run', '--no-color'],
    test: "import { test } from 'vitest';",
  },
  Jest: { args: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'], test: '' },
};

const noRegistry =
  spawnSync('npm', ['ping'], { timeout: 30_000 }).status !== 0 && 'no npm registry is reachable';

describe('the checks of keyroster/conformance, in an installed package', { skip: noRegistry }, () => {
  const scope = suiteScope();
  let cwd: string;
  before(async () => {
    cwd = (await installPackages(scope)).folder;
    execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', ...VERSIONS], {
      cwd,
      stdio: 'ignore',
    });
  });

  for (const [runner, { args, test: imported }] of Object.entries(runners)) {
    const run = (listApiKeys: string) => {
      const source = `
        ${imported}
        import { conformanceChecks } from 'keyroster/conformance';
        import { InMemoryStore } from './node_modules/keyroster/examples/in-memory-store.js';
        class Store extends InMemoryStore { ${listApiKeys} }
        const open = content => ({ roster: new Store(content) });
        const change = ({ roster }, ...args) => roster.put(...args);
        for (const { name, run } of conformanceChecks({ open, change })) test(name, run);`;
      writeFileSync(join(cwd, 'store.test.js'), source);
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
      return { status, printed: stdout + stderr };
    };

    test(`pass under ${runner} for the store of the examples`, () => {
      const { status, printed } = run('');
      assert.equal(status, 0, printed);
      assert.match(printed, /Tests:? +21 passed/);
    });

    test(`fail under ${runner} for a store that guesses hasMore, and print the counterexample`, () => {
      const { status, printed } = run(
        `async listApiKeys(organizationId, query) {
          const page = await super.listApiKeys(organizationId, query);
          return page && { ...page, hasMore: page.items.length === query.limit };
        }`,
      );
      assert.notEqual(status, 0);
      assert.match(
        printed,
        /hasMore must be false: no key is left\n(.*\n)*.*came: {5}key_\w+; hasMore: true/,
      );
    });
  }
});
