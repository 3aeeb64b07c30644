import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StoreUnavailable } from '../../src/roster/errors.ts';
import type { RosterReader } from '../../src/roster/roster.ts';
import { startStubRosterService } from '../support/stub-roster-service.ts';

const INSIDE = 'connect ECONNREFUSED db.internal:5432 as "roster" with SELECT secret';

const failing = (error: unknown): Record<'findAdminKey' | 'listApiKeys', Partial<RosterReader>> => ({
  findAdminKey: { findAdminKey: () => Promise.reject(error) },
  listApiKeys: { listApiKeys: () => Promise.reject(error) },
});

for (const [method, roster] of Object.entries(failing(new StoreUnavailable(INSIDE)))) {
  describe(`when ${method} finds that the store can not be reached`, () => {
    test('the answer is a 503 that says when to try again and nothing about the inside', async context => {
      const { send, service } = await startStubRosterService(context, roster);
      const answer = await send();
      assert.equal(answer.status, 503);
      assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      assert.deepEqual(answer.body.error, {
        type: 'api_error',
        message: 'the roster cannot be read just now; try again',
      });
      assertLogged(service.logText(), answer.body.request_id);
    });

    test('HEAD is answered the same without a body', async context => {
      const { send } = await startStubRosterService(context, roster);
      const answer = await send({ method: 'HEAD' });
      assert.equal(answer.status, 503);
      assert('retry-after' in answer.headers);
    });

    test('what needs no store is answered as ever', async context => {
      const { send } = await startStubRosterService(context, roster);
      assert.equal((await send({ path: '/openapi.json' })).status, 200);
      assert.equal((await send({ headers: { 'x-api-key': undefined } })).status, 401);
      assert.equal((await send({ method: 'POST' })).status, 405);
    });
  });
}

const thrown: Record<string, unknown> = {
  'an error': new TypeError(INSIDE),
  'an error with a status of its own': Object.assign(new Error(INSIDE), { statusCode: 503 }),
  'an error that looks like a client error': Object.assign(new Error(INSIDE), { statusCode: 404 }),
  'an error with a code': Object.assign(new Error(INSIDE), { code: 'SQLITE_CORRUPT', errcode: 11 }),
  'a text': INSIDE,
};
for (const [what, error] of Object.entries(thrown)) {
  for (const [method, roster] of Object.entries(failing(error))) {
    test(`when ${method} throws ${what}, the answer is a 500 that says nothing about it, and the log has it`, async context => {
      const { send, service } = await startStubRosterService(context, roster);
      const answer = await send({ query: 'limit=5' });
      assert.equal(answer.status, 500);
      assert.deepEqual(answer.body.error, {
        type: 'api_error',
        message: 'an internal error; the request_id finds it in the log',
      });
      assert(!('retry-after' in answer.headers));
      assertLogged(service.logText(), answer.body.request_id);
    });
  }
}

test('after a fault the service goes on', async context => {
  let calls = 0;
  const listApiKeys = async () => {
    calls += 1;
    if (calls === 1) throw new Error(INSIDE);
    return { items: [], hasMore: false };
  };
  const { send } = await startStubRosterService(context, { listApiKeys });
  assert.equal((await send()).status, 500);
  assert.equal((await send()).status, 200);
});

test('an answer that found the organization names it, faults included', async context => {
  const { send, organization } = await startStubRosterService(
    context,
    failing(new Error(INSIDE)).listApiKeys,
  );
  assert.equal((await send()).headers['vendor-organization-id'], organization);
});

test('the log has a line for every request, and never the admin key or what was asked for', async context => {
  const { send, service, secret } = await startStubRosterService(context);
  const { headers } = await send({ query: 'workspace_id=wrkspc_private' });
  const line = await lineOf(service, headers['request-id']);
  assert.equal(line.status, 200);
  assert.equal(line.route, '/v1/organizations/api_keys');
  assert(!service.logText().includes(secret) && !service.logText().includes('wrkspc_private'));
});

function assertLogged(log: string, requestId: string): void {
  const lines = log.split('\n').filter(line => line.includes(requestId));
  assert(
    lines.some(line => JSON.parse(line).level >= 50 && line.includes('ECONNREFUSED')),
    'the log has the cause under the request ID',
  );
}

/** The line is written when the answer is out, which the caller may learn first. */
async function lineOf({ logText }: { logText(): string }, requestId: string | undefined) {
  for (;;) {
    const line = logText()
      .split('\n')
      .find(text => text.includes(String(requestId)));
    if (line) return JSON.parse(line);
    await new Promise(setImmediate);
  }
}
