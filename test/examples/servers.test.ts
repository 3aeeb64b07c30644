import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { expectations, type RunningApp, serveBeside } from '../support/app-expectations.ts';
import { type AppProcess, startApp } from '../support/app-process.ts';
import { atEndOf, suiteScope } from '../support/scope.ts';
import { createTenants, type Tenant } from '../support/service-process.ts';
import { sqlite } from '../support/stores.ts';

const FOLDER = new URL('../../examples/servers/', import.meta.url);
const fileOf = (app: string) => fileURLToPath(new URL(`${app}.js`, FOLDER));
const support = (file: string) => fileURLToPath(new URL(`../support/${file}`, import.meta.url));

/** The arguments of Node for each. */
const apps: Record<string, readonly string[]> = {
  'node-http': [fileOf('node-http')],
  express: [fileOf('express')],
  fastify: [fileOf('fastify')],
  koa: [fileOf('koa')],
  hono: [fileOf('hono')],
};
/** test/examples/runtimes.soak.ts, next.soak.ts */
const runElsewhere = ['bun', 'deno', 'next-route'];

for (const [name, args] of Object.entries(apps)) {
  describe(`examples/servers/${name}.js`, () => {
    const scope = suiteScope();
    let process_: AppProcess;
    let app: RunningApp;
    before(async () => {
      const store = await sqlite.create();
      atEndOf(scope, () => store.remove());
      const tenants = (await createTenants(store, 2, 120)) as [Tenant, Tenant];
      const served = await serveBeside(scope, store);
      const command = [process.execPath, '--import', support('resolve-keyroster.ts'), ...args] as const;
      process_ = await startApp(scope, command, { database: store.url });
      app = { port: process_.port, tenants, served };
    });

    for (const [what, check] of expectations) test(what, () => check(app));

    test('ends by itself when it is asked to, and has printed nothing', async () => {
      assert.deepEqual(await process_.stop(), { exitCode: 0, printed: '' });
    });
  });
}

test('every server of the examples is tried, and has at most 10 lines besides its imports', () => {
  const files = readdirSync(FOLDER).toSorted();
  assert.deepEqual(files, [...Object.keys(apps), ...runElsewhere].map(name => `${name}.js`).toSorted());
  for (const file of files) {
    const lines = readFileSync(new URL(file, FOLDER), 'utf8').split('\n');
    const own = lines.filter(line => line !== '' && !/^(import|\s*\/[/*])/.test(line));
    assert.ok(own.length <= 10, `${file}: ${own.length}`);
  }
});
