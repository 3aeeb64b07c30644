/** As generated-query-strings.test.ts, over HTTP. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { EMPTY_PAGE } from '../../src/roster/joined-page.ts';
import { badQueryString, numberLike, queryString } from '../support/query-strings.ts';
import { rounds } from '../support/rounds.ts';
import { startStubRosterService } from '../support/stub-roster-service.ts';

const RUNS = rounds(1_000);

let lists = 0;
const listApiKeys = async () => {
  lists += 1;
  return EMPTY_PAGE;
};
const { send } = await startStubRosterService({ after }, { listApiKeys });

describe('over HTTP', () => {
  // Characters that a request line can't contain are tested in answer-unparsable.test.ts.
  const line = (text: string) => text.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent);

  test('every bad query string gets a 400 and never reaches the roster', async () => {
    const property = fc.asyncProperty(badQueryString.map(line), async query => {
      const { status } = await send({ query });
      assert.equal(status, 400);
    });
    await fc.assert(property, { numRuns: RUNS });
    assert.equal(lists, 0);
  });

  test('every query string after a bad limit gets a 400', async () => {
    const property = fc.asyncProperty(numberLike, queryString.map(line), async (limit, text) => {
      const rest = text.replaceAll('#', '%23');
      const { status, body } = await send({ query: `limit=${line(limit)}&${rest}` });
      assert.equal(status, 400);
      assert.match(body.error.message, /limit: /);
    });
    await fc.assert(property, { numRuns: RUNS / 4 });
  });
});
