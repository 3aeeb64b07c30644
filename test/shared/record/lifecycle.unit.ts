import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  expiresWithin,
  hasExpired,
  isUnusedFor,
  lifecycleTime,
} from '../../../src/shared/record/lifecycle.ts';

const NOW = Date.parse('2026-11-24T00:00:00Z');
const active = (fields: object) => ({ status: 'active', created_at: '2025-01-01T00:00:00Z', ...fields });

describe('a time of a record', () => {
  test('is RFC 3339 with a zone, or not known: nothing is guessed of another text', () => {
    const times = {
      '2026-11-24T00:00:00.123456Z': NOW + 123,
      '2026-11-24T01:00:00+01:00': NOW,
      '': null,
      '01-12-2026': undefined,
      '5': undefined,
      '2026-11-24 10:00:00': undefined,
      '2026-11-24': undefined,
      never: undefined,
    };
    for (const [expires_at, time] of Object.entries(times))
      assert.equal(lifecycleTime(active({ expires_at }), 'expires_at'), time, expires_at);
    assert.equal(lifecycleTime(active({ expires_at: null }), 'expires_at'), null);
    assert.equal(lifecycleTime(active({}), 'expires_at'), undefined);
  });
});

test('an active key has expired from its time on, and any other never', () => {
  const at = '2026-11-24T00:00:00Z';
  assert.equal(hasExpired(active({ expires_at: at }), NOW), true);
  assert.equal(hasExpired(active({ expires_at: at }), NOW - 1), false);
  assert.equal(hasExpired(active({ expires_at: at, status: 'inactive' }), NOW), false);
  for (const expires_at of [null, '', '01-01-2020'])
    assert.equal(hasExpired(active({ expires_at }), NOW), false);
});

test('a key expires within a time that includes its end, and not when it has', () => {
  const key = active({ expires_at: '2026-11-25T00:00:00Z' });
  assert.deepEqual(
    [86_399_999, 86_400_000].map(ms => expiresWithin(key, ms, NOW)),
    [false, true],
  );
  assert.equal(expiresWithin(key, 86_400_000, NOW + 86_400_000), false);
});

test('a key that was never used counts from when it was made', () => {
  const day = 86_400_000;
  const key = active({ created_at: '2026-11-20T00:00:00Z', last_used_at: null });
  assert.deepEqual(
    [3, 4].map(days => isUnusedFor(key, days * day, NOW)),
    [true, false],
  );
  const used = { ...key, last_used_at: '2026-11-23T00:00:00Z' };
  assert.equal(isUnusedFor(used, 2 * day, NOW), false);
});
