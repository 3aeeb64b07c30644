import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ageText } from '../../../src/console/roster/age.ts';

test('an age is told in its largest units', () => {
  for (const [created, now, text] of [
    ['2026-11-21T12:00:00.000000Z', '2026-11-21T12:00:59Z', 'just now'],
    ['2026-11-21T12:00:00.000000Z', '2026-11-21T11:59:30Z', 'just now'],
    ['2026-11-22T12:00:00.000000Z', '2026-11-21T12:00:00Z', 'in 1 day'],
    ['2026-11-21T11:00:01.000000Z', '2026-11-21T12:00:00Z', '59 min'],
    ['2026-11-20T12:00:01.000000Z', '2026-11-21T12:00:00Z', '23 h'],
    ['2026-11-20T12:00:00.000000Z', '2026-11-21T12:00:00Z', '1 day'],
    ['2026-08-22T00:00:00.000000Z', '2026-11-21T23:00:00Z', '91 days'],
    ['2026-08-21T00:00:00.000000Z', '2026-11-21T00:00:00Z', '3 mo'],
    ['2025-11-21T00:00:00.000000Z', '2026-11-21T00:00:00Z', '1 y'],
    ['2024-11-22T00:00:00.000000Z', '2026-11-21T00:00:00Z', '1 y 11 mo'],
    ['2024-02-29T00:00:00.000000Z', '2025-02-28T23:59:59Z', '11 mo'],
  ] as const)
    assert.equal(ageText(created, Date.parse(now)), text);
});

const moment = fc.integer({ min: Date.parse('1990-01-01'), max: Date.parse('2050-01-01') });
const older = fc.integer({ min: 0, max: 40 * 366 * 86_400_000 });
const textAfter = (created: number, ms: number) => ageText(new Date(created).toISOString(), created + ms);

test('an age is never more than the time that has passed', () => {
  fc.assert(
    fc.property(moment, older, (created, ms) => {
      const text = textAfter(created, ms);
      const months = monthsOf(text);
      return months === 0 ? msOf(text) <= ms : later(created, months) <= created + ms;
    }),
  );
});

function monthsOf(text: string): number {
  const [, years = 0, months = 0] = /^(?:(\d+) y)? ?(?:(\d+) mo)?$/.exec(text) ?? [];
  return Number(years) * 12 + Number(months);
}

function msOf(text: string): number {
  const [, count = 0, unit = 'min'] = /^(\d+) (min|h|day)/.exec(text) ?? [];
  const units: Record<string, number> = { min: 60_000, h: 3_600_000, day: 86_400_000 };
  return Number(count) * (units[unit] ?? 0);
}

/** So many months later on the same day, or on the month's last. */
function later(created: number, months: number): number {
  const date = new Date(created);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0);
  date.setUTCDate(Math.min(day, date.getUTCDate()));
  return date.getTime();
}
