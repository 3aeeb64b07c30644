import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ageBands, ageOf, bandOf, DAY_MS } from '../../../src/admin/report/age.ts';
import { queryOfBand } from '../../../src/console/overview/ranges.ts';
import type { RosterQuery } from '../../../src/console/walk/query.ts';
import { formatTimestamp, type Timestamp } from '../../../src/shared/record/timestamp.ts';

const now = new Date('2026-11-22T10:20:30.456Z');
const DAY = BigInt(DAY_MS) * 1_000n;
const NOW = BigInt(now.getTime()) * 1_000n;

/** Many are exactly as old as a bound, or one microsecond off. Some are of the future. */
const createdAt = fc
  .oneof(
    fc
      .tuple(fc.constantFrom(0n, 30n, 90n, 180n, 365n, 730n), fc.constantFrom(-1n, 0n, 1n))
      .map(([days, off]) => NOW - days * DAY + off),
    fc.bigInt({ min: NOW - 2_000n * DAY, max: NOW + 60n * DAY }),
  )
  .map(time => formatTimestamp(time as Timestamp));

/** Times of six decimals compare as text. */
const isShown = ({ created_from = '', created_before = '~' }: RosterQuery, created_at: string) =>
  created_at >= created_from && created_at < created_before;
const ageMs = (created_at: string) => ageOf(created_at, now) as number;

test('the link of a range of ages has exactly the keys that the report counts there', () => {
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
