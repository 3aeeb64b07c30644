import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachedAdminKeys } from '../../../../src/service/postgres/serving/expiring-cache.ts';
import type { AdminKey } from '../../../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../../../src/service/roster/admin-key-secret.ts';
import { now, VENDOR } from '../../../support/roster.ts';

/** Records the lookups of admin keys. */
function recording(key: AdminKey | null) {
  const lookedUp: Uint8Array[] = [];
  const find = async (digest: Uint8Array) => {
    lookedUp.push(digest);
    return key;
  };
  return { find, lookedUp };
}

const NOW = now();
const digest = AdminKeySecret.issue(VENDOR).digest();
const key = { digest } as AdminKey;

test('an admin key is cached for the given seconds, and then looked up again', async context => {
  let clock = 0;
  context.mock.method(performance, 'now', () => clock);
  const { find, lookedUp } = recording(key);
  const cached = cachedAdminKeys(find, 5);
  for (const [time, lookups] of [
    [0, 1],
    [1, 1],
    [4_999, 1],
    [5_000, 2],
    [9_999, 2],
    [10_000, 3],
  ] as const) {
    clock = time;
    assert.equal(await cached(digest, NOW), key);
    assert.equal(lookedUp.length, lookups, `at ${time} ms`);
  }
});

test('the seconds begin with the question, as the key may be revoked before its answer arrives', async context => {
  let clock = 0;
  context.mock.method(performance, 'now', () => clock);
  const { find, lookedUp } = recording(key);
  const slow = async (digest: Uint8Array) => {
    const answer = await find(digest);
    clock += 100;
    return answer;
  };
  const cached = cachedAdminKeys(slow, 5);
  await cached(digest, NOW);
  clock = 4_999;
  await cached(digest, NOW);
  assert.equal(lookedUp.length, 1);
  clock = 5_000;
  await cached(digest, NOW);
  assert.equal(lookedUp.length, 2);
});

test('an unknown admin key is looked up each time, so that a new one works at once', async () => {
  const { find, lookedUp } = recording(null);
  const cached = cachedAdminKeys(find, 5);
  for (let time = 0; time < 3; time++) assert.equal(await cached(digest, NOW), null);
  assert.equal(lookedUp.length, 3);
});

test('0 seconds turn the cache off', async () => {
  const { find, lookedUp } = recording(key);
  const cached = cachedAdminKeys(find, 0);
  for (let time = 0; time < 3; time++) await cached(digest, NOW);
  assert.equal(lookedUp.length, 3);
});

test('a full cache evicts the oldest admin key', async () => {
  const { find, lookedUp } = recording(key);
  const cached = cachedAdminKeys(find, 60);
  const digestOf = (number: number) =>
    new Uint8Array(new BigUint64Array([BigInt(number), 0n, 0n, 0n]).buffer);
  for (let number = 0; number <= 10_000; number++) await cached(digestOf(number), NOW);
  await cached(digestOf(10_000), NOW);
  assert.equal(lookedUp.length, 10_001, 'the newest is cached');
  await cached(digestOf(0), NOW);
  assert.equal(lookedUp.length, 10_002, 'the oldest was evicted');
});
