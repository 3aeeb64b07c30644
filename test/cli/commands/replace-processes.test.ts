import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replaceProcesses } from '../../support/replace-processes.ts';
import { storeForServices } from '../../support/stop-under-load.ts';

const TIMES = 2;
/** The balancer asks ten times within the delay of 1 s, so that it notices in time on a busy machine too. */
const HOW = { times: TIMES, probeMs: 100, shutdownDelay: 1, rate: 90 };

test(`two processes behind a balancer, replaced one after the other ${TIMES} times under load, fail no request`, async t => {
  const { answered, failed, exitCodes } = await replaceProcesses(t, await storeForServices(t), HOW);
  assert.equal(failed, 0);
  assert.deepEqual(exitCodes, Array(2 * TIMES).fill(0));
  assert(answered > 0);
});
