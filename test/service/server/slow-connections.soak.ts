import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load, quantile, statusesOf } from '../../support/load.ts';
import { listRequest } from '../../support/raw-corpus.ts';
import { suiteScope } from '../../support/scope.ts';
import { startTenantService, type Tenant } from '../../support/service-process.ts';
import { idleKind, openSlowly, slowKinds } from '../../support/slow-connections.ts';

const MAX_SECONDS = 10;
const MAX_IDLE_SECONDS = 80;
const MAX_P99_MS = 50;

describe('slow and idle connections', async () => {
  const scope = suiteScope();
  const service = await startTenantService(scope, { tenants: 1 });
  const [tenant] = service.tenants as [Tenant];
  const slow = slowKinds(tenant).map(kind => [kind, MAX_SECONDS] as const);
  for (const [kind, maxSeconds] of [...slow, [idleKind(tenant), MAX_IDLE_SECONDS] as const]) {
    const count = kind.drip ? 500 : 1_000;
    test(`${count} ${kind.what} are closed within ${maxSeconds} s, and don't slow down a normal client`, async t => {
      const normalClient = (seconds: number) => {
        const requests = [listRequest(tenant, 20)];
        return load(scope, { port: service.port, requests, connections: 4, seconds, rate: 100 });
      };
      const alone = await normalClient(4);
      const normal = normalClient(maxSeconds + 2);
      const ends = await Promise.all(await openSlowly(service.port, kind, count));
      const { seconds, unanswered } = await normal;
      const longest = Math.max(...ends);
      const [p99Alone, p99] = [quantile(alone.seconds, 0.99), quantile(seconds, 0.99)];
      t.diagnostic(`closed within ${(longest / 1000).toFixed(1)} s`);
      t.diagnostic(`a normal client's p99: ${p99.toFixed(1)} ms; alone: ${p99Alone.toFixed(1)} ms`);
      assert(longest <= maxSeconds * 1000, `closed after ${longest} ms`);
      assert.deepEqual(Object.keys(statusesOf(seconds)), ['200']);
      assert.equal(unanswered, 0);
      assert(p99 < MAX_P99_MS, `p99 ${p99} ms`);
    });
  }
});
