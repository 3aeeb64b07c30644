import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration } from '../../../src/shared/record/duration.ts';

test('a duration is a whole number with a unit, in microseconds', () => {
  assert.equal(parseDuration('0s'), 0n);
  assert.equal(parseDuration('90s'), 90_000_000n);
  assert.equal(parseDuration('15m'), 900_000_000n);
  assert.equal(parseDuration('12h'), 43_200_000_000n);
  assert.equal(parseDuration('365d'), 365n * 86_400_000_000n);
  assert.equal(parseDuration('36500d'), 36_500n * 86_400_000_000n);
});

test('any other text is no duration', () => {
  for (const text of [
    '',
    '7',
    'd',
    '-7d',
    '+7d',
    '1.5d',
    '7 d',
    '7D',
    '7w',
    '1d12h',
    '36501d',
    '99999999999s',
  ])
    assert.equal(parseDuration(text), undefined, text);
});
