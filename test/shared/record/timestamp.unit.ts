import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  formatTimestamp,
  parseTimestamp,
  type Timestamp,
  timestampOfDate,
} from '../../../src/shared/record/timestamp.ts';
import { timestamp } from '../../support/arbitraries.ts';

describe('a timestamp', () => {
  const read: [text: string, canonical: string][] = [
    ['2024-10-30T23:58:27.427722Z', '2024-10-30T23:58:27.427722Z'],
    ['2024-10-31T01:28:27.427722+01:30', '2024-10-30T23:58:27.427722Z'],
    ['2024-10-30T23:58:27.427722000Z', '2024-10-30T23:58:27.427722Z'],
    ['0000-02-29T00:00:00.000001Z', '0000-02-29T00:00:00.000001Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ];
  for (const [text, canonical] of read) {
    test(`reads ${text} as ${canonical}`, () => {
      const moment = parseTimestamp(text);
      assert.equal(formatTimestamp(moment as Timestamp), canonical);
    });
  }

  const refused: [text: unknown, why: string][] = [
    ['2024-10-30', 'has no time'],
    ['2024-10-30 23:58:27Z', 'has a space instead of the T'],
    ['2024-10-30T23:58:27', 'has no offset'],
    ['2024-10-30T23:58:27.Z', 'has a point without decimals'],
    ['2024-10-30T24:00:00Z', 'has an hour 24'],
    ['2016-12-31T23:59:60Z', 'is a leap second, which can not be stored exactly'],
    ['2024-10-30T23:58:27.4277221Z', 'has digits below the microsecond'],
    ['2023-02-29T00:00:00Z', 'is February 29 of a common year'],
    ['2024-04-31T00:00:00Z', 'is day 31 of a month with 30 days'],
    ['2024-13-10T00:00:00Z', 'has a month 13'],
    ['2024-10-30T23:58:27+24:00', 'has an offset of a day'],
    ['0000-01-01T00:00:00+00:01', 'is before the year 0 in UTC'],
    ['9999-12-31T23:59:59.999999-00:01', 'is after the year 9999 in UTC'],
    [' 2024-10-30T23:58:27Z', 'has a leading space'],
    ['2024-10-30T23:58:27Z\n', 'has a trailing newline'],
    ['٢٠٢٤-10-30T23:58:27Z', 'has digits that are not ASCII'],
    [1_730_332_707, 'is a number'],
    [null, 'is null'],
  ];
  for (const [text, why] of refused) {
    test(`is refused when it ${why}`, () => assert.equal(parseTimestamp(text), undefined));
  }

  test('is the same after formatting and parsing, to the microsecond', () => {
    fc.assert(
      fc.property(timestamp, moment => {
        const text = formatTimestamp(moment);
        assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
        assert.equal(parseTimestamp(text), moment);
      }),
    );
  });

  test('sorts as its text does', () => {
    fc.assert(fc.property(timestamp, timestamp, (a, b) => a < b === formatTimestamp(a) < formatTimestamp(b)));
  });

  test('can be made from a Date', () => {
    const moment = timestampOfDate(new Date(1_730_332_707_427));
    assert.equal(formatTimestamp(moment), '2024-10-30T23:58:27.427000Z');
  });
});
