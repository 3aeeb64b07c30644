/** An hour of mixed load; `KEYROSTER_SOAK_MINUTES` makes it shorter. Its name makes it the last of the long tests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { load, quantile, statusesOf } from './support/load.ts';
import { pipeline } from './support/pipeline.ts';
import { listRequest, rawCorpus } from './support/raw-corpus.ts';
import {
  asTable,
  mediansByInterval,
  type ResourceUsage,
  resourceUsage,
  slope,
} from './support/resource-usage.ts';
import { importKeys } from './support/roster.ts';
import { atEndOf, type Scope } from './support/scope.ts';
import { apiKeysOf, startTenantService, type Tenant, type TenantService } from './support/service-process.ts';
import { openSlowly, slowKinds } from './support/slow-connections.ts';
import { SOAK_MINUTES } from './support/soak.ts';

const SAMPLE_MS = 2_000;
/** The share of the run that isn't measured: code is compiled, caches fill, and the heap grows to its working size. */
const WARM_UP = 0.2;
const INTERVALS = 12;
/**
 * A figure is flat when its trend from the first to the last interval grows by at most this share of its median. Normal
 * changes of the heap stay below; a leak of 100 bytes a request doesn't.
 */
const MAX_GROWTH = 0.1;
/** The event-loop delay has a noise of about a millisecond; growth below this doesn't count. */
const MIN_DELAY_GROWTH_MS = 2;
const REQUESTS_PER_SECOND = 200;

test(`${SOAK_MINUTES} minutes of mixed load leave memory, file descriptors and event-loop delay flat`, async t => {
  const service = await startTenantService(t, { env: { KEYROSTER_METRICS_PORT: '0' } });
  const metricsUrl = /metrics at (http:[^"]+)/.exec(service.log())?.[1];
  assert(metricsUrl, 'the service logs the URL of its metrics');
  const seconds = SOAK_MINUTES * 60;
  const [first, second] = service.tenants as [Tenant, Tenant];
  const common = { port: service.port, seconds };
  const requests = [
    ...service.tenants.flatMap(tenant => [listRequest(tenant, 20), listRequest(tenant, 1000)]),
    listRequest(first, 0),
    listRequest({ ...second, secret: 'wrong' }, 1),
  ];
  const loads = [
    load(t, { ...common, requests, connections: 8, rate: REQUESTS_PER_SECOND }),
    load(t, { ...common, requests, connections: 2, rate: 20, requestsEach: 5 }),
  ];
  const disturbances = startDisturbances(t, service);

  const samples: ResourceUsage[] = [];
  const start = performance.now();
  for (let minute = 0; minute < SOAK_MINUTES; minute = (performance.now() - start) / 60_000) {
    samples.push(await resourceUsage(service.pid, metricsUrl, minute));
    await setTimeout(SAMPLE_MS);
  }
  await disturbances.stop();
  const answers = (await Promise.all(loads)).flatMap(each => each.seconds);

  const steady = mediansByInterval(samples.slice(Math.floor(samples.length * WARM_UP)), INTERVALS);
  t.diagnostic(`\n${asTable(steady)}`);
  t.diagnostic(
    `answers: ${JSON.stringify(statusesOf(answers))}; p99 of the 200s ${quantile(answers, 0.99).toFixed(1)} ms`,
  );
  assert.deepEqual(Object.keys(statusesOf(answers)), ['200', '400', '401']);
  assert.deepEqual(service.warnings(), []);
  assertFlat(
    steady.map(({ residentMb }) => residentMb),
    'resident memory',
  );
  assertFlat(
    steady.map(({ descriptors }) => descriptors),
    'file descriptors',
  );
  assertFlat(
    steady.map(({ delayMs }) => delayMs),
    'event-loop delay',
    MIN_DELAY_GROWTH_MS,
  );
});

function assertFlat(figures: readonly number[], what: string, minGrowth = 0): void {
  const growth = slope(figures) * (figures.length - 1);
  const middle = figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? NaN;
  assert(
    growth <= Math.max(minGrowth, MAX_GROWTH * middle),
    `${what} grew by ${growth.toFixed(1)} at ${middle.toFixed(1)}`,
  );
}

/** Sends malformed requests, opens slow connections, and imports into the store. */
function startDisturbances(scope: Scope, { port, tenants, store }: TenantService) {
  const [tenant, other] = tenants as [Tenant, Tenant];
  const corpus = rawCorpus(tenant, other);
  const kinds = slowKinds(tenant);
  let going = true;
  const every = async (milliseconds: number, act: (time: number) => Promise<unknown>) => {
    for (let time = 0; going; time++) {
      await act(time);
      await setTimeout(milliseconds);
    }
  };
  const all = [
    every(50, async time => {
      const { bytes = '' } = corpus[time % corpus.length] ?? {};
      await pipeline(port, bytes, { methods: ['GET'], closeAfter: 1 });
    }),
    every(1_000, async time => openSlowly(port, kinds[time % kinds.length] ?? { what: '', first: '' }, 5)),
    every(10_000, async time => {
      const writer = await store.openWriter();
      const renamed = apiKeysOf(tenant.organization).map(key => ({ ...key, name: `${key.name} ${time}` }));
      await importKeys(writer, tenant.organization, renamed).finally(() => writer.close());
    }),
  ];
  const stop = async () => {
    going = false;
    await Promise.all(all);
  };
  atEndOf(scope, stop);
  return { stop };
}
