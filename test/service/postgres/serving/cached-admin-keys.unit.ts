import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachedAdminKeys } from '../../../../src/service/postgres/serving/cached-admin-keys.ts';
import type { AdminKey } from '../../../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../../../src/service/roster/admin-key-secret.ts';
import type { StoreReader } from '../../../../src/service/roster/roster.ts';
import { now, VENDOR } from '../../../support/roster.ts';

/** A reader that records the lookups of admin keys. */
function recordingReader(key: AdminKey | null) {
  const lookedUp: Uint8Array[] = [];
  const reader: StoreReader = {
    listApiKeys: async () => null,
    findAdminKey: async digest => {
      lookedUp.push(digest);
      return key;
    },
    checkReadiness: async () => [],
    listFields: async () => [],
    close: async () => {},
  };
  return { reader, lookedUp };
}

const NOW = now();
const digest = AdminKeySecret.issue(VENDOR).digest();
const key = { digest } as AdminKey;

test('an admin key is cached for the given seconds, and then looked up again', async context => {
  let clock = 0;
  context.mock.method(performance, 'now', () => clock);
  const { reader, lookedUp } = recordingReader(key);
  const cached = cachedAdminKeys(reader, 5);
  for (const [time, lookups] of [
    [0, 1],
    [1, 1],
    [4_999, 1],
    [5_000, 2],
    [9_999, 2],
    [10_000, 3],
  ] as const) {
    clock = time;
    assert.equal(await cached.findAdminKey(digest, NOW), key);
    assert.equal(lookedUp.length, lookups, `at ${time} ms`);
  }
});

test('the seconds begin with the question, as the key may be revoked before its answer arrives', async context => {
  let clock = 0;
  context.mock.method(performance, 'now', () => clock);
  const { reader, lookedUp } = recordingReader(key);
  const slow: StoreReader = {
    ...reader,
    findAdminKey: async (...question) => {
      const answer = await reader.findAdminKey(...question);
      clock += 100;
      return answer;
    },
  };
  const cached = cachedAdminKeys(slow, 5);
  await cached.findAdminKey(digest, NOW);
  clock = 4_999;
  await cached.findAdminKey(digest, NOW);
  assert.equal(lookedUp.length, 1);
  clock = 5_000;
  await cached.findAdminKey(digest, NOW);
  assert.equal(lookedUp.length, 2);
});

test('an unknown admin key is looked up each time, so that a new one works at once', async () => {
  const { reader, lookedUp } = recordingReader(null);
  const cached = cachedAdminKeys(reader, 5);
  for (let time = 0; time < 3; time++) assert.equal(await cached.findAdminKey(digest, NOW), null);
  assert.equal(lookedUp.length, 3);
});

test('0 seconds turn the cache off', async () => {
  const { reader, lookedUp } = recordingReader(key);
  const cached = cachedAdminKeys(reader, 0);
  for (let time = 0; time < 3; time++) await cached.findAdminKey(digest, NOW);
  assert.equal(lookedUp.length, 3);
});

test('a full cache evicts the oldest admin key', async () => {
  const { reader, lookedUp } = recordingReader(key);
  const cached = cachedAdminKeys(reader, 60);
  const digestOf = (number: number) =>
    new Uint8Array(new BigUint64Array([BigInt(number), 0n, 0n, 0n]).buffer);
  for (let number = 0; number <= 10_000; number++) await cached.findAdminKey(digestOf(number), NOW);
  await cached.findAdminKey(digestOf(10_000), NOW);
  assert.equal(lookedUp.length, 10_001, 'the newest is cached');
  await cached.findAdminKey(digestOf(0), NOW);
  assert.equal(lookedUp.length, 10_002, 'the oldest was evicted');
});
