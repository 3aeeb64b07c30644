import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LoadResult, load, quantile, statusesOf, throughput } from '../../support/load.ts';
import { listRequest } from '../../support/raw-corpus.ts';
import { startTenantService, type Tenant } from '../../support/service-process.ts';

const SECONDS = 30;
/** Pages so large that the client can send more requests than the service can answer. */
const ITEMS = 1_000;
/** One after the other they are twice what is cached, so each is read from the store. */
const PAGES = 64;
/** Clients time out after some seconds, so answers must come well before. */
const MAX_P99_MS = 2_000;
/** As a share of the capacity: the throughput under the same load varies by the rest from second to second. */
const FULL_SPEED = 0.7;

test('the service answers in time under three times its capacity, and is back at full speed afterwards', async t => {
  const service = await startTenantService(t, { tenants: 1, keysEach: ITEMS + PAGES });
  const request = listRequest(service.tenants[0] as Tenant, ITEMS);
  const requests = Array.from({ length: PAGES }, (_, page) =>
    request.replace('?', `?after_id=apikey_${ITEMS + page}&`),
  );
  const alone = { port: service.port, requests, connections: 32, seconds: 8 };

  const before = (await load(t, alone)).seconds.slice(3, 8);
  const capacity = throughput(before);
  const rate = 3 * capacity;
  const over = await load(t, { port: service.port, requests, connections: 4_000, seconds: SECONDS, rate });
  const after = (await load(t, { ...alone, seconds: 10 })).seconds;

  const statuses = statusesOf(over.seconds);
  const p99 = quantile(over.seconds, 0.99);
  t.diagnostic(`alone: ${capacity.toFixed(0)} pages/s, p99 ${quantile(before, 0.99).toFixed(1)} ms`);
  t.diagnostic(`sent: ${(over.sent / SECONDS).toFixed(0)} requests/s; answers: ${JSON.stringify(statuses)}`);
  t.diagnostic(`of the 200s: p50 ${quantile(over.seconds, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`);
  t.diagnostic(`200s a second afterwards: ${after.map(({ times }) => times.length).join(' ')}`);

  assert.deepEqual(unexpected(over), {});
  assert.deepEqual(
    { unanswered: over.unanswered + over.unansweredOnNew, unfinished: over.unfinished },
    { unanswered: 0, unfinished: 0 },
  );
  assert(over.sent > 2 * capacity * SECONDS, 'the client sent too little load');
  assert(p99 <= MAX_P99_MS, `p99 ${p99} ms`);
  const back = after.findIndex(({ times }) => times.length >= FULL_SPEED * capacity);
  assert(back >= 0 && back < 5, `full speed after ${back} s`);
  assert.deepEqual(Object.keys(statusesOf(after.slice(5, 9))), ['200']);
  assert(service.running());
});

function unexpected({ seconds }: LoadResult): Record<string, number> {
  const all = Object.entries(statusesOf(seconds));
  return Object.fromEntries(all.filter(([status]) => !['200', '429', '503'].includes(status)));
}
