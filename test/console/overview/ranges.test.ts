import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { monthsShown } from '../../../src/console/overview/months-shown.ts';
import { queryOfBand, queryOfOlder } from '../../../src/console/overview/ranges.ts';
import { localFilterOf } from '../../../src/console/walk/local-filter.ts';
import type { RosterQuery } from '../../../src/console/walk/query.ts';
import { ageBands, ageOf, bandOf, DAY_MS } from '../../../src/report/age.ts';
import { maxAge } from '../../../src/report/policies.ts';
import { ReportBuilder } from '../../../src/report/report-builder.ts';
import { formatTimestamp, type Timestamp } from '../../../src/roster/timestamp.ts';
import { exampleRecord } from '../../support/example-record.ts';

const now = new Date('2026-11-22T10:20:30.456Z');
const DAY = BigInt(DAY_MS) * 1_000n;
const NOW = BigInt(now.getTime()) * 1_000n;

/** Many are exactly as old as a bound, or one microsecond off. Some are of the future. */
const createdAt = fc
  .oneof(
    fc
      .tuple(fc.constantFrom(0n, 30n, 90n, 180n, 365n, 730n), fc.constantFrom(-1n, 0n, 1n))
      .map(([days, off]) => NOW - days * DAY + off),
    fc
      .tuple(fc.integer({ min: -50, max: 2 }), fc.constantFrom(-1n, 0n, 1n))
      .map(([months, off]) => BigInt(Date.UTC(2026, 10 + months, 1)) * 1_000n + off),
    fc.bigInt({ min: NOW - 2_000n * DAY, max: NOW + 60n * DAY }),
  )
  .map(time => formatTimestamp(time as Timestamp));

const recordOf = (created_at: string) => ({ ...exampleRecord, created_at, status: 'active' }) as ApiKeyRecord;
const isShown = (query: RosterQuery, created_at: string) =>
  localFilterOf(query).matches(recordOf(created_at));
const ageMs = (created_at: string) => ageOf(created_at, now) as number;

describe('the link of a range of time', () => {
  test('has exactly the keys of the age that the report counts there', () => {
    fc.assert(
      fc.property(createdAt, at => {
        const shown = ageBands.map(band => isShown(queryOfBand(band, now), at));
        assert.deepEqual(
          shown,
          ageBands.map((_, index) => index === bandOf(ageMs(at))),
        );
      }),
    );
  });

  test('has exactly the keys that break the policy max-age', () => {
    fc.assert(
      fc.property(createdAt, fc.constantFrom(30, 90, 365, 99_999), (at, days) => {
        assert.equal(isShown(queryOfOlder(days, now), at), maxAge(days).breaks(recordOf(at), ageMs(at)));
      }),
    );
  });

  test('has exactly the keys of a month, of the months before, and of those to come', () => {
    fc.assert(
      fc.property(fc.array(createdAt, { maxLength: 40 }), fc.integer({ min: 1, max: 6 }), (all, years) => {
        const builder = new ReportBuilder(now);
        for (const at of all) builder.add(recordOf(at), ageMs(at));
        const shown = monthsShown(builder.snapshot().by_month, now, years).flat();
        for (const { label, count, shows } of shown)
          assert.equal(count.keys, all.filter(at => isShown(shows, at)).length, label);
        assert.equal(
          shown.reduce((sum, { count }) => sum + count.keys, 0),
          all.length,
        );
      }),
    );
  });
});
