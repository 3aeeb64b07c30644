import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { type Sent, startStubRosterService } from '../../support/http.ts';

// A stub roster in which every cursor is unknown.
let listed = 0;
const listApiKeys = async () => {
  listed += 1;
  return null;
};
const { send, organization } = await startStubRosterService({ after }, { listApiKeys });

/** What can be wrong with a request, in the order of the checks, and the answer. */
const mistakes: readonly { what: string; sent: Sent; status: number; message: RegExp }[] = [
  { what: 'path', sent: { path: '/x' }, status: 404, message: /^path: / },
  { what: 'method', sent: { method: 'POST' }, status: 405, message: /^method: / },
  { what: 'admin key', sent: { headers: { 'x-api-key': 'x' } }, status: 401, message: /^x-api-key: / },
  {
    what: 'version',
    sent: { headers: { 'vendor-version': 'x' } },
    status: 400,
    message: /^vendor-version: /,
  },
  { what: 'parameter', sent: { query: 'limit=0' }, status: 400, message: /^limit: / },
  { what: 'cursor', sent: { query: 'after_id=x' }, status: 400, message: /^after_id: / },
];

describe('the order of checks', () => {
  for (const [place, { what, status, message }] of mistakes.entries()) {
    test(`a wrong ${what} is reported before everything that is checked later`, async () => {
      const later = mistakes.slice(place);
      const answer = await send({
        ...Object.assign({}, ...later.map(mistake => mistake.sent)),
        query: later.flatMap(({ sent }) => sent.query ?? []).join('&'),
        headers: Object.assign({}, ...later.map(mistake => mistake.sent.headers)),
      });
      assert.equal(answer.status, status);
      assert.match(answer.body.error.message, message);
      const known = place > 2 ? organization : undefined;
      assert.equal(answer.headers['vendor-organization-id'], known);
    });
  }

  test('is the same for HEAD', async () => {
    for (const { sent, status } of mistakes.filter(mistake => mistake.what !== 'method')) {
      assert.equal((await send({ ...sent, method: 'HEAD' })).status, status);
    }
  });

  test('keeps unauthenticated requests and requests with a wrong parameter from reaching the roster', async () => {
    listed = 0;
    await send({ headers: { 'x-api-key': undefined }, query: 'after_id=x' });
    await send({ headers: { 'x-api-key': 'x' }, query: 'limit=5' });
    await send({ headers: { 'vendor-version': 'x' } });
    await send({ query: 'limit=0&after_id=x' });
    assert.equal(listed, 0);
  });

  test('gives an unauthenticated caller the same answer whatever the request is', async () => {
    const messages = new Set<string>();
    for (const query of ['', 'limit=0', 'after_id=x', 'foo=1', '%zz', 'status=active']) {
      for (const version of ['2023-06-01', 'x', undefined]) {
        const answer = await send({ query, headers: { 'x-api-key': undefined, 'vendor-version': version } });
        messages.add(answer.text.replace(answer.body.request_id, ''));
      }
    }
    assert.equal(messages.size, 1);
  });
});
