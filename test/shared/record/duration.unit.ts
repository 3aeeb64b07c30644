import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration } from '../../../src/shared/record/duration.ts';

test('a duration is a whole number with a unit, in microseconds, of at most 36,500 days', () => {
  const seconds = { '0s': 0n, '90s': 90n, '15m': 900n, '12h': 43_200n, '36500d': 36_500n * 86_400n };
  for (const [text, count] of Object.entries(seconds))
    assert.equal(parseDuration(text), count * 1_000_000n, text);
  for (const text of ['', '7', 'd', '-7d', '+7d', '1.5d', '7 d', '7D', '7w', '1d12h', '36501d'])
    assert.equal(parseDuration(text), undefined, text);
});
