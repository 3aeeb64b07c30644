/** Replaces the two processes of a service behind a balancer, one after the other, under load. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBalancer } from '../../support/balancer.ts';
import { freePort } from '../../support/free-port.ts';
import { load, statusesOf } from '../../support/load.ts';
import { listRequest } from '../../support/raw-corpus.ts';
import { startServiceProcess, startTenantService, type Tenant } from '../../support/service-process.ts';
import { postgres, sqlite } from '../../support/stores.ts';

const TIMES = 20;
/** How often the balancer asks each process. */
const PROBE_MS = 500;
/** Requests a second. */
const RATE = 300;

for (const kind of [sqlite, postgres])
  test(`two processes over ${kind.name} behind a balancer, replaced one after the other ${TIMES} times under load, fail no request`, async t => {
    const { store, tenants } = await startTenantService(t, { tenants: 1, kind });
    const ports = [await freePort(), await freePort()];
    const start = (port: number) =>
      startServiceProcess(t, store.url, { KEYROSTER_PORT: String(port), KEYROSTER_SHUTDOWN_DELAY: '1' });
    const running = await Promise.all(ports.map(start));
    const balancer = await startBalancer(t, ports, PROBE_MS);
    await Promise.all(ports.map(balancer.sees));

    const done = Promise.withResolvers<void>();
    const common = { port: balancer.port, requests: [listRequest(tenants[0] as Tenant, 20)], seconds: 3600 };
    const loads = [
      load(t, { ...common, connections: 8, rate: (2 / 3) * RATE }, done.promise),
      load(t, { ...common, connections: 4, rate: RATE / 3, requestsEach: 3 }, done.promise),
    ];
    for (let time = 0; time < TIMES; time++)
      for (const [place, port] of ports.entries()) {
        running[place]?.signal('SIGTERM');
        assert.equal((await running[place]?.ended())?.exitCode, 0);
        running[place] = await start(port);
        await balancer.sees(port);
      }
    done.resolve();
    const results = await Promise.all(loads);
    const statuses = statusesOf(results.flatMap(({ seconds }) => seconds));
    t.diagnostic(`answers: ${JSON.stringify(statuses)}`);
    assert.deepEqual(Object.keys(statuses), ['200']);
    for (const { unanswered, unansweredOnNew, refused, unfinished } of results)
      assert.equal(unanswered + unansweredOnNew + refused + unfinished, 0);
  });
