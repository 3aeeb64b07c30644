import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertGracefulStop,
  type Stopped,
  stopUnderLoad,
  storeForServices,
} from '../../support/stop-under-load.ts';

const TIMES = 50;
const MAX_SECONDS = 10;

test(`serve, stopped under load ${TIMES} times, answers every request that it accepted, within ${MAX_SECONDS} s`, async t => {
  const roster = await storeForServices(t);
  const all: Stopped[] = [];
  for (let time = 0; time < TIMES; time++) {
    // A different moment each time.
    const stopped = await stopUnderLoad(t, roster, (time * 37) % 500);
    assertGracefulStop(stopped);
    assert(stopped.seconds <= MAX_SECONDS, `${stopped.seconds} s`);
    all.push(stopped);
  }
  const sum = (of: (stopped: Stopped) => number) => all.reduce((total, each) => total + of(each), 0);
  t.diagnostic(
    `${sum(each => each.answered)} answers; the longest stop took ${Math.max(...all.map(each => each.seconds)).toFixed(2)} s`,
  );
  t.diagnostic(`unanswered first requests of new connections: ${sum(each => each.unansweredOnNew)}`);
});
