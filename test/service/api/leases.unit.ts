import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { LeasedCounts, Leases } from '../../../src/service/api/leases.ts';
import { rounds } from '../../support/rounds.ts';

/** Processes that share a quota of requests, as workers of `serve` do. A lease takes a while to come, where the test says so. */
function processes(quota: number, count: number, delayMs = () => 0) {
  const leases = new Leases(quota, count);
  let asked = 0;
  const all = Array.from(
    { length: count },
    () =>
      new LeasedCounts(async caller => {
        asked += 1;
        const lease = leases.take('requests', caller);
        if (delayMs() > 0) await wait(delayMs());
        return lease;
      }),
  );
  return { all, asked: () => asked };
}

describe('processes that share a quota', () => {
  test('serve never more than the quota together, and at least 95 % of it however uneven the load is', async () => {
    const cases = fc.asyncProperty(
      fc.integer({ min: 1, max: 3_000 }),
      fc.integer({ min: 2, max: 8 }),
      fc.infiniteStream(fc.nat({ max: 30 })),
      async (quota, count, choices) => {
        const { all } = processes(quota, count);
        let served = 0;
        for (;;) {
          // Low numbers are drawn more often than others, so the first processes have more requests.
          const chosen = Math.min(choices.next().value as number, choices.next().value as number) % count;
          const burst = Array.from({ length: 7 }, () => all[chosen]?.take('caller'));
          const granted = (await Promise.all(burst)).reduce((sum, taken) => sum + (taken?.granted ?? 0), 0);
          served += granted;
          if (granted < burst.length) break;
        }
        assert.ok(served <= quota, `${served} of ${quota}`);
        assert.ok(served >= 0.95 * quota - count, `${served} of ${quota}`);
      },
    );
    await fc.assert(cases, { numRuns: rounds(30) });
  });

  test('serve a small quota to the last request', async () => {
    const { all } = processes(5, 2);
    const taken = [];
    for (let request = 0; request < 8; request++) taken.push(await all[request % 2]?.take('caller'));
    assert.deepEqual(
      taken.map(each => each?.granted),
      [1, 1, 1, 1, 1, 0, 0, 0],
    );
  });

  test('ask once for many requests, and no more when the quota is used up', async () => {
    const { all, asked } = processes(6_000, 2, () => 1);
    const [process] = all;
    await Promise.all(Array.from({ length: 150 }, () => process?.take('caller')));
    assert.equal(asked(), 1);
    while ((await process?.take('caller'))?.granted === 1);
    const before = asked();
    assert.ok(!(process?.take('caller') instanceof Promise));
    assert.equal(asked(), before);
  });

  test('begin a new window when the one of the counts has ended, even while a lease is on its way', async t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const { all } = processes(2, 2);
    const [first, second] = all;
    await first?.take('caller');
    now = 59_990;
    assert.equal((await second?.take('caller'))?.granted, 1);
    assert.equal((await first?.take('caller'))?.granted, 0);
    now = 60_000;
    assert.equal((await first?.take('caller'))?.granted, 1);
    assert.equal((await second?.take('caller'))?.granted, 1);
    assert.equal((await second?.take('caller'))?.granted, 0);
  });
});
