/** An hour of mixed load; `KEYROSTER_SOAK_MINUTES` makes it shorter. Its name makes it the last of the long tests. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { load, quantile, statusesOf } from './support/load.ts';
import { pipeline } from './support/pipeline.ts';
import { listRequest, rawCorpus } from './support/raw-corpus.ts';
import { importKeys } from './support/roster.ts';
import { SOAK_MINUTES } from './support/rounds.ts';
import { atEndOf, type Scope } from './support/scope.ts';
import { apiKeysOf, startTenantService, type Tenant, type TenantService } from './support/service-process.ts';
import { openSlowly, slowKinds } from './support/slow-connections.ts';

const SAMPLE_MS = 2_000;
/** The share of the run that isn't measured: code is compiled, caches fill, and the heap grows to its working size. */
const WARM_UP = 0.2;
/** The median of the last third may be this share above that of the first. Normal changes of the heap stay below. */
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

  const samples: Awaited<ReturnType<typeof resourceUsage>>[] = [];
  const start = performance.now();
  while (performance.now() - start < seconds * 1000) {
    samples.push(await resourceUsage(service.pid, metricsUrl));
    await setTimeout(SAMPLE_MS);
  }
  await disturbances.stop();
  const answers = (await Promise.all(loads)).flatMap(each => each.seconds);

  const steady = samples.slice(Math.floor(samples.length * WARM_UP));
  t.diagnostic(
    `answers: ${JSON.stringify(statusesOf(answers))}; p99 of the 200s ${quantile(answers, 0.99).toFixed(1)} ms`,
  );
  assert.deepEqual(Object.keys(statusesOf(answers)), ['200', '400', '401']);
  assert.deepEqual(service.warnings(), []);
  for (const [what, minGrowth] of [
    ['resident MB', 0],
    ['file descriptors', 0],
    ['event-loop delay', MIN_DELAY_GROWTH_MS],
  ] as const) {
    const third = Math.floor(steady.length / 3);
    const [before, after] = [steady.slice(0, third), steady.slice(-third)].map(part =>
      median(part.map(sample => sample[what])),
    ) as [number, number];
    t.diagnostic(`${what}: ${before.toFixed(1)} in the first third, ${after.toFixed(1)} in the last`);
    assert(after - before <= Math.max(minGrowth, MAX_GROWTH * before), what);
  }
});

const median = (figures: readonly number[]) =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? NaN;

/** From /proc (Linux) and the metrics; the delay is the p99 since the sample before, in milliseconds. */
async function resourceUsage(pid: number, metricsUrl: string) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  const metrics = await (await fetch(metricsUrl)).text();
  const [, delay] = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics) ?? [];
  return {
    'resident MB': Number(kilobytes) / 1024,
    'file descriptors': readdirSync(`/proc/${pid}/fd`).length,
    'event-loop delay': Number(delay) * 1000,
  };
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
      await pipeline(port, bytes, 1);
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
