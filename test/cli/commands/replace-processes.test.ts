import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROBE_MS, replaceProcesses } from '../../support/replace-processes.ts';
import { storeForServices } from '../../support/stop-under-load.ts';

/** In seconds: the balancer notices within the time between two of its questions. */
const SHUTDOWN_DELAY = Math.ceil(PROBE_MS / 1000);
const TIMES = 2;

test(`two processes behind a balancer, replaced one after the other ${TIMES} times under load, fail no request`, async t => {
  const roster = await storeForServices(t);
  const replaced = await replaceProcesses(t, roster, { times: TIMES, shutdownDelay: SHUTDOWN_DELAY });
  assert.equal(replaced.failed, 0);
  assert.deepEqual(replaced.exitCodes, Array(2 * TIMES).fill(0));
  assert(replaced.answered > 0);
});
