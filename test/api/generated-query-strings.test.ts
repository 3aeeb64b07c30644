/** Generated query strings: a filter with a mistake must never silently list everything. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../src/api/errors.ts';
import { parseListQuery } from '../../src/api/parse-list-query.ts';
import { badQueryString, isGood, queryString } from '../support/query-strings.ts';
import { rounds } from '../support/rounds.ts';

const RUNS = rounds(2_000);

test('a query string is accepted if and only if it follows every rule', () => {
  fc.assert(
    fc.property(queryString, text => assert.equal(messageOf(text) === null, isGood(text))),
    { numRuns: RUNS },
  );
});

test('every bad query string is refused with a short, printable message', () => {
  const property = fc.property(badQueryString, text => {
    const message = messageOf(text);
    assert(message);
    assert.match(message, /^[ -~]{1,1000}$/);
  });
  fc.assert(property, { numRuns: RUNS });
});

/** The parser's error message; `null` when it accepts the query string. */
function messageOf(text: string): string | null {
  try {
    parseListQuery(text);
    return null;
  } catch (error) {
    assert(error instanceof ApiError && error.status === 400);
    return error.message;
  }
}
