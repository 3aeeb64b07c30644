/** An hour of everything at once; `KEYROSTER_SOAK_MINUTES` makes it shorter. Last of the long tests by its name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { load, quantile, statusesOf } from './support/load.ts';
import { pipeline } from './support/pipeline.ts';
import { listRequest, rawCorpus } from './support/raw-corpus.ts';
import { asTable, type ResourceUsage, resourceUsage, slope, stretches } from './support/resource-usage.ts';
import { importKeys } from './support/roster.ts';
import { atEndOf, type Scope } from './support/scope.ts';
import { apiKeysOf, startTenantService, type Tenant, type TenantService } from './support/service-process.ts';
import { openSlowly, slowKinds } from './support/slow-connections.ts';
import { SOAK_MINUTES } from './support/soak.ts';

const SAMPLE_MS = 2_000;
/** Code is compiled, caches fill, and the heap finds its size. */
const WARM_UP = 0.2;
const STRETCHES = 12;
/**
 * Flat is what grows, by the slope over all stretches, by at most this share of its median from the first to the last.
 * The heap's own breathing is within it; a leak of 100 bytes a request is not.
 */
const MAX_GROWTH = 0.1;
/** The event loop's delay is noise of a millisecond; growth below this is none. */
const MIN_DELAY_GROWTH_MS = 2;
const REQUESTS_A_SECOND = 200;

test(`${SOAK_MINUTES} minutes of mixed load leave memory, file descriptors and event-loop delay flat`, async t => {
  const service = await startTenantService(t, { env: { KEYROSTER_METRICS_PORT: '0' } });
  const metricsUrl = /metrics at (http:[^"]+)/.exec(service.log())?.[1];
  assert(metricsUrl, 'the service says where its metrics are');
  const seconds = SOAK_MINUTES * 60;
  const [first, second] = service.tenants as [Tenant, Tenant];
  const common = { port: service.port, seconds };
  const requests = [
    ...service.tenants.flatMap(tenant => [listRequest(tenant, 20), listRequest(tenant, 1000)]),
    listRequest(first, 0),
    listRequest({ ...second, secret: 'wrong' }, 1),
  ];
  const loads = [
    load(t, { ...common, requests, connections: 8, rate: REQUESTS_A_SECOND }),
    load(t, { ...common, requests, connections: 2, rate: 20, requestsEach: 5 }),
  ];
  const nuisances = annoy(t, service);

  const samples: ResourceUsage[] = [];
  const start = performance.now();
  for (let minute = 0; minute < SOAK_MINUTES; minute = (performance.now() - start) / 60_000) {
    samples.push(await resourceUsage(service.pid, metricsUrl, minute));
    await setTimeout(SAMPLE_MS);
  }
  await nuisances.stop();
  const answers = (await Promise.all(loads)).flatMap(each => each.seconds);

  const steady = stretches(samples.slice(Math.floor(samples.length * WARM_UP)), STRETCHES);
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

function assertFlat(figures: readonly number[], what: string, least = 0): void {
  const growth = slope(figures) * (figures.length - 1);
  const middle = figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? NaN;
  assert(
    growth <= Math.max(least, MAX_GROWTH * middle),
    `${what} grew by ${growth.toFixed(1)} at ${middle.toFixed(1)}`,
  );
}

/** What a service meets beside good requests: malformed ones, slow connections, and imports into its store. */
function annoy(scope: Scope, { port, tenants, store }: TenantService) {
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
