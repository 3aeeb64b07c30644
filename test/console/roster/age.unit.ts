import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agoText } from '../../../src/console/roster/age.ts';

test('an age is told in its largest unit, rounded down, and in no larger one than days', () => {
  for (const [created, now, text] of [
    ['2026-11-21T12:00:00.000000Z', '2026-11-21T12:00:59Z', 'just now'],
    ['2026-11-21T12:00:00.000000Z', '2026-11-21T11:59:30Z', 'just now'],
    ['2026-11-22T12:00:00.000000Z', '2026-11-21T12:00:00Z', 'in 1 day'],
    ['2026-11-21T11:00:01.000000Z', '2026-11-21T12:00:00Z', '59 minutes ago'],
    ['2026-11-20T12:00:01.000000Z', '2026-11-21T12:00:00Z', '23 hours ago'],
    ['2026-11-20T12:00:00.000000Z', '2026-11-21T12:00:00Z', '1 day ago'],
    ['2023-11-21T00:00:00.000000Z', '2026-11-21T23:00:00Z', '1,096 days ago'],
  ] as const)
    assert.equal(agoText(created, Date.parse(now)), text);
});
