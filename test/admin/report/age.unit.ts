import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageBands, ageOf, bandOf, bandText, DAY_MS, daysOld } from '../../../src/admin/report/age.ts';

test('every age is in one band, whose text has its first and last day', () => {
  const texts = (days: number) =>
    bandText(ageBands[bandOf(days * DAY_MS)] ?? { from_days: 0, to_days: null });
  assert.deepEqual([-1, 0, 29.99, 30, 89.9, 90, 729.9, 730, 9999].map(texts), [
    ...[
      'under 30 days',
      'under 30 days',
      'under 30 days',
      '30 to 89 days',
      '30 to 89 days',
      '90 to 179 days',
    ],
    ...['365 to 729 days', '730 days and more', '730 days and more'],
  ]);
});

test('an age is exact, is shown in whole days, and is NaN for an invalid timestamp', () => {
  const now = new Date('2026-01-02T00:00:00Z');
  assert.equal(ageOf('2026-01-01T00:00:00.000500Z', now), DAY_MS - 0.5);
  assert.equal(daysOld(DAY_MS - 0.5), 0);
  assert.equal(ageOf('yesterday', now), Number.NaN);
});
