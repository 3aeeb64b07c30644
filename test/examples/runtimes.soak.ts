/** The servers of the examples for Bun and Deno, in an installed package. Not in `npm test`: the runtimes have 190 MB. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { expectations, type RunningApp } from '../support/app-expectations.ts';
import { type AppProcess, startApp } from '../support/app-process.ts';
import { install } from '../support/install.ts';
import { type InstalledPackages, installPackages } from '../support/installed-package.ts';
import { atEndOf, suiteScope } from '../support/scope.ts';
import { serveStore } from '../support/service.ts';
import { createTenants, type Tenant } from '../support/service-process.ts';
import { sqlite } from '../support/sqlite-store.ts';
import { postgres } from '../support/stores.ts';

const HONO = 'hono@4.13.19';

const platform = `${process.platform}-${process.arch}`;

/** The package of each runtime, and the command that runs a file: the program itself, as the package's script isn't run. */
const runtimes = {
  bun: { package: 'bun@1.4.5', command: [`@oven/bun-${platform}/bin/bun`] },
  deno: {
    package: 'deno@2.9.6',
    command: [`@deno/${platform}${process.platform === 'linux' ? '-glibc' : ''}/deno`, 'run', '--allow-all'],
  },
};

for (const [name, runtime] of Object.entries(runtimes)) {
  describe(`examples/servers/${name}.js`, () => {
    const scope = suiteScope();
    let installed: InstalledPackages;
    let problem: string | undefined;
    before(async () => {
      installed = await installPackages(scope);
      problem = await install(installed.folder, [HONO, runtime.package]);
    });

    for (const kind of [sqlite, postgres]) {
      describe(`over ${kind.name}`, () => {
        const inner = suiteScope();
        let app: RunningApp;
        let running: AppProcess;
        before(async () => {
          if (problem) return;
          const store = await kind.create();
          atEndOf(inner, () => store.remove());
          const tenants = (await createTenants(store, 2, 120)) as [Tenant, Tenant];
          const served = await serveStore(inner, store);
          const { folder: cwd } = installed;
          const example = new URL(`../../examples/servers/${name}.js`, import.meta.url);
          copyFileSync(fileURLToPath(example), join(cwd, 'server.js'));
          const [program = '', ...args] = runtime.command;
          const command = [join(cwd, 'node_modules', program), ...args, 'server.js'] as const;
          running = await startApp(inner, command, { cwd, database: store.url });
          app = { port: running.port, tenants, served };
        });

        for (const [what, check] of expectations) test(what, t => (problem ? t.skip(problem) : check(app)));

        test('ends by itself when it is asked to', async t => {
          if (problem) return t.skip(problem);
          const { exitCode, printed } = await running.stop();
          assert.equal(exitCode, 0, printed);
        });
      });
    }
  });
}
