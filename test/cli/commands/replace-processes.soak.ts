import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replaceProcesses } from '../../support/replace-processes.ts';
import { startTenantService } from '../../support/service-process.ts';
import { postgres, sqlite } from '../../support/stores.ts';

const TIMES = 20;

for (const kind of [sqlite, postgres])
  test(`two processes over ${kind.name} behind a balancer, replaced one after the other ${TIMES} times under load, fail no request`, async t => {
    const service = await startTenantService(t, { tenants: 1, kind });
    const how = { times: TIMES, probeMs: 500, shutdownDelay: 1, rate: 300 };
    const { answered, shed, failed, exitCodes } = await replaceProcesses(t, service, how);
    t.diagnostic(`${answered} answers`);
    assert.equal(failed + shed, 0);
    assert.deepEqual(exitCodes, Array(2 * TIMES).fill(0));
  });
