/** Generated query strings: a filter with a mistake must never silently list everything. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../src/api/errors.ts';
import { parseListQuery } from '../../src/api/parse-list-query.ts';
import { startStubRosterService } from '../support/stub-roster-service.ts';

const DIRECT_RUNS = 25_000;
const HTTP_RUNS = 5_000;

const isId = (value: string) => /^[\w-]{1,128}$/.test(value) && !value.includes('\n');
const isValue: Record<string, (value: string) => boolean> = {
  limit: value => Number(value) >= 1 && Number(value) <= 1000 && String(Math.floor(Number(value))) === value,
  after_id: isId,
  before_id: isId,
  workspace_id: isId,
  created_by_user_id: isId,
  status: value => ['active', 'inactive', 'archived'].includes(value),
};

/** The oracle. A badly encoded value is decoded here to one with "%" or U+FFFD, which no rule allows. */
function isGood(queryString: string): boolean {
  // The "&" keeps URLSearchParams from dropping a "?" at the start.
  const pairs = [...new URLSearchParams(`&${queryString}`)].filter(([name]) => name !== 'beta');
  const names = pairs.map(([name]) => name);
  return (
    new Set(names).size === names.length &&
    !(names.includes('after_id') && names.includes('before_id')) &&
    pairs.every(([name, value]) => Object.hasOwn(isValue, name) && isValue[name]?.(value))
  );
}

const names = Object.keys(isValue);
const known = fc.constantFrom(...names);
const typo = fc.tuple(known, fc.nat(17), fc.constantFrom('', 'x', '_', 'A', '%20', '[]')).map(
  ([name, at, instead]) => name.slice(0, at) + instead + name.slice(at + 1), //
);
const encoded = fc
  .string({ unit: 'binary', maxLength: 8 })
  .map(value => encodeURIComponent(value.toWellFormed()));
const junk = fc.string({ unit: 'binary-ascii', maxLength: 8 });
const misEncoded = fc.constantFrom('%', '%2', '%zz', 'a%', '%C3', '%E0%A4', '%ff', '%ED%A0%80', '%u0041');
const number = fc.oneof(fc.integer().map(String), fc.double().map(String), fc.bigInt().map(String));
const numberLike = fc.constantFrom(
  '0',
  '1001',
  '-1',
  '+5',
  '1.0',
  '1e3',
  '020',
  ' 5',
  '0x10',
  '5,',
  '١',
  '５',
);
const good = fc.constantFrom('5', '1000', 'active', 'archived', 'apikey_1', 'k', '1');

const name = fc.oneof({ weight: 6, arbitrary: known }, typo, encoded, junk, misEncoded, fc.constant('beta'));
const value = fc.oneof({ weight: 3, arbitrary: good }, encoded, junk, misEncoded, number, numberLike);
const pair = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(name, value).map(([left, right]) => `${left}=${right}`) },
  name,
  junk,
);
const queryString = fc.array(pair, { maxLength: 5 }).map(pairs => pairs.join('&'));
const bad = queryString.filter(text => !isGood(text));

test('a query string is accepted if and only if it follows every rule', () => {
  fc.assert(
    fc.property(queryString, text => assert.equal(messageOf(text) === null, isGood(text))),
    { numRuns: DIRECT_RUNS },
  );
});

test('every bad query string is refused with a short, printable message', () => {
  const property = fc.property(bad, text => {
    const message = messageOf(text);
    assert(message);
    assert.match(message, /^[ -~]{1,1000}$/);
  });
  fc.assert(property, { numRuns: DIRECT_RUNS });
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

let lists = 0;
const listApiKeys = async () => {
  lists += 1;
  return { items: [], hasMore: false };
};
const { send } = await startStubRosterService({ after }, { listApiKeys });

describe('over HTTP', () => {
  // Characters that a request line can't contain are tested in answer-unparsable.test.ts.
  const line = (text: string) => text.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent);

  test('every bad query string gets a 400 and never reaches the roster', async () => {
    const property = fc.asyncProperty(bad.map(line), async query => {
      const { status } = await send({ query });
      assert.equal(status, 400);
    });
    await fc.assert(property, { numRuns: HTTP_RUNS });
    assert.equal(lists, 0);
  });

  test('every query string after a bad limit gets a 400', async () => {
    const property = fc.asyncProperty(numberLike, queryString.map(line), async (limit, text) => {
      const rest = text.replaceAll('#', '%23');
      const { status, body } = await send({ query: `limit=${line(limit)}&${rest}` });
      assert.equal(status, 400);
      assert.match(body.error.message, /limit: /);
    });
    await fc.assert(property, { numRuns: 500 });
  });
});
