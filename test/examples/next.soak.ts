/** The route of the examples for Next, in an installed package. Not in `npm test`: Next has 300 MB. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';
import { AdminKeySecret } from '../../src/service/roster/admin-key-secret.ts';
import { expectationsOfRoute, type RunningApp } from '../support/app-expectations.ts';
import { startApp } from '../support/app-process.ts';
import { install } from '../support/install.ts';
import { installPackages } from '../support/installed-package.ts';
import { VENDOR } from '../support/roster.ts';
import { atEndOf, type Scope, suiteScope, temporaryFolder } from '../support/scope.ts';
import { serveStore } from '../support/service.ts';
import { createTenants, type Tenant } from '../support/service-process.ts';
import { storeAt } from '../support/store-at.ts';
import { createDatabase } from '../support/stores.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/servers/next-route.js', import.meta.url));
const NEXT = 'node_modules/next/dist/bin/next';
process.env.NEXT_TELEMETRY_DISABLED = '1';

/** URLs of stores that aren't there yet. */
const places = {
  SQLite: async (scope: Scope) => `sqlite:${join(temporaryFolder(scope), 'keyroster.db')}`,
  PostgreSQL: async (scope: Scope) => {
    const { url, remove } = await createDatabase();
    atEndOf(scope, remove);
    return url;
  },
};

for (const version of ['15', '16'])
  describe(`examples/servers/next-route.js in Next ${version}`, () => {
    const scope = suiteScope();
    let folder: string;
    let problem: string | undefined;
    before(async () => {
      ({ folder } = await installPackages(scope));
      problem = await install(folder, [`next@${version}`, 'react', 'react-dom']);
      const route = join(folder, 'app', LIST_API_KEYS_PATH, 'route.js');
      mkdirSync(dirname(route), { recursive: true });
      copyFileSync(EXAMPLE, route);
      writeFileSync(join(folder, 'app/layout.js'), 'export default ({ children }) => children;\n');
    });

    test('is built without a store', async t => {
      if (problem) return t.skip(problem);
      await promisify(execFile)(process.execPath, [NEXT, 'build'], { cwd: folder });
    });

    for (const [kind, place] of Object.entries(places))
      describe(`over ${kind}`, () => {
        const inner = suiteScope();
        let app: RunningApp;
        let statusWithoutStore: number;
        before(async () => {
          if (problem) return;
          const url = await place(inner);
          const next = [process.execPath, join(folder, NEXT), 'start', '--hostname', '127.0.0.1'] as const;
          const { port } = await startApp(inner, next, { cwd: folder, database: url });
          const headers = { 'x-api-key': AdminKeySecret.issue(VENDOR).reveal() };
          statusWithoutStore = (await fetch(`http://127.0.0.1:${port}${LIST_API_KEYS_PATH}`, { headers }))
            .status;
          const store = { ...storeAt(url), url, remove: async () => {} };
          await store.migrate();
          const tenants = (await createTenants(store, 2, 120)) as [Tenant, Tenant];
          const served = await serveStore(inner, store);
          app = { port, tenants, served, ownHeaders: ['content-length', 'vary'] };
        });

        test('a request before the store is there gets a 503, and those after it are served', t => {
          if (problem) return t.skip(problem);
          assert.equal(statusWithoutStore, 503);
        });

        for (const [what, check] of expectationsOfRoute)
          test(what, t => (problem ? t.skip(problem) : check(app)));

        // Next itself compresses.
        test('a large page can be read by a client that accepts any coding', async t => {
          if (problem) return t.skip(problem);
          const headers = { 'x-api-key': app.tenants[0].secret, 'vendor-version': '2023-06-01' };
          const read = async (port: number) =>
            (await fetch(`http://127.0.0.1:${port}${LIST_API_KEYS_PATH}?limit=1000`, { headers })).text();
          assert.equal(await read(app.port), await read(app.served.port));
        });
      });
  });
