/** The doors to the API beside `serve`: what each of them answers is compared with what `serve` does. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { expectations, type RunningApp } from '../support/app-expectations.ts';
import { type AppProcess, startApp } from '../support/app-process.ts';
import { rounds } from '../support/rounds.ts';
import { atEndOf, suiteScope } from '../support/scope.ts';
import { serveStore, type TestService } from '../support/service.ts';
import { createTenants, type Tenant } from '../support/service-process.ts';
import { sqlite } from '../support/sqlite-store.ts';
import type { TestStore } from '../support/stores.ts';

const FOLDER = new URL('../../examples/servers/', import.meta.url);
const RESOLVE = fileURLToPath(new URL('../support/resolve-keyroster.ts', import.meta.url));

/** A soak has all of them (`more-rounds.soak.ts`). */
const apps = ['node-http', 'express', 'fastify', 'koa', 'hono'];
/** One over `handle`, with a framework that reads bodies, and one over `fetch`. */
const tried = rounds(1) === 1 ? ['express', 'hono'] : apps;
/** test/examples/runtimes.soak.ts, next.soak.ts */
const runElsewhere = ['bun', 'deno', 'next-route'];

describe('the servers of the examples', () => {
  const scope = suiteScope();
  let store: TestStore;
  let tenants: [Tenant, Tenant];
  let served: TestService;
  before(async () => {
    store = await sqlite.create();
    atEndOf(scope, () => store.remove());
    tenants = (await createTenants(store, 2, 120)) as [Tenant, Tenant];
    served = await serveStore(scope, store);
  });

  for (const name of tried)
    describe(`examples/servers/${name}.js`, () => {
      const inner = suiteScope();
      let process_: AppProcess;
      let app: RunningApp;
      before(async () => {
        const file = fileURLToPath(new URL(`${name}.js`, FOLDER));
        const command = [process.execPath, '--import', RESOLVE, file] as const;
        process_ = await startApp(inner, command, { database: store.url });
        app = { port: process_.port, tenants, served };
      });

      for (const [what, check] of expectations) test(what, () => check(app));

      test('ends by itself when it is asked to, and has printed nothing', async () => {
        assert.deepEqual(await process_.stop(), { exitCode: 0, printed: '' });
      });
    });
});

test('every server of the examples is tried here or in a soak, and has at most 10 lines besides its imports', () => {
  const files = readdirSync(FOLDER).toSorted();
  assert.deepEqual(files, [...apps, ...runElsewhere].map(name => `${name}.js`).toSorted());
  for (const file of files) {
    const lines = readFileSync(new URL(file, FOLDER), 'utf8').split('\n');
    const own = lines.filter(line => line !== '' && !/^(import|\s*\/[/*])/.test(line));
    assert.ok(own.length <= 10, `${file}: ${own.length}`);
  }
});
