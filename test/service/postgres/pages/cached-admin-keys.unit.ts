import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { cachedAdminKeys } from '../../../../src/service/postgres/pages/cached-admin-keys.ts';
import type { AdminKey } from '../../../../src/service/roster/admin-key.ts';
import { now } from '../../../support/roster.ts';
import { stubReader } from '../../../support/service.ts';

const NOW = now();
const digestOf = (number: number) => new Uint8Array(new BigUint64Array([BigInt(number), 0n, 0n, 0n]).buffer);

/** Caches what a reader answers at once, by a clock that stands unless it is set. Returns how often it was asked, too. */
function cached(t: TestContext, { seconds = 5, answer = {} as AdminKey | null } = {}) {
  const clock = { now: 0 };
  t.mock.method(performance, 'now', () => clock.now);
  let lookups = 0;
  const findAdminKey = async () => {
    lookups += 1;
    clock.now += 100; // the key may be revoked while it is looked up
    return answer;
  };
  const roster = cachedAdminKeys(stubReader({ findAdminKey }).reader, seconds);
  const find = async (number = 0) => {
    assert.equal(await roster.findAdminKey(digestOf(number), NOW), answer);
    return lookups;
  };
  return { clock, find };
}

test('an admin key is cached for the given seconds from the question on, and then looked up again', async t => {
  const { clock, find } = cached(t);
  for (const [time, lookups] of [
    [0, 1],
    [1, 1],
    [4_999, 1],
    [5_000, 2],
    [9_999, 2],
    [10_000, 3],
  ] as const) {
    clock.now = time;
    assert.equal(await find(), lookups, `at ${time} ms`);
  }
});

test('an unknown admin key is looked up each time, so that a new one works at once, and any with a cache of 0 seconds', async t => {
  for (const { find } of [cached(t, { answer: null }), cached(t, { seconds: 0 })])
    for (const lookups of [1, 2, 3]) assert.equal(await find(), lookups);
});

test('a full cache evicts the oldest admin key', async t => {
  const { find } = cached(t, { seconds: 10_000 });
  for (let number = 0; number <= 10_000; number++) await find(number);
  assert.equal(await find(10_000), 10_001, 'the newest is cached');
  assert.equal(await find(0), 10_002, 'the oldest was evicted');
});
