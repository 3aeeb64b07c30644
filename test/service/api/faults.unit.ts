import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FilterNotServed, StoreUnavailable } from '../../../src/service/roster/errors.ts';
import { EMPTY_PAGE } from '../../../src/service/roster/pages/joined-page.ts';
import type { StoreReader } from '../../../src/service/roster/pages/reader.ts';
import { activeFilters } from '../../../src/shared/record/filters.ts';
import { startStubRosterService } from '../../support/http.ts';

const INTERNAL_DETAILS = 'connect ECONNREFUSED db.internal:5432 as "roster" with SELECT secret';

const failing = (error: unknown): Record<'findAdminKey' | 'listApiKeys', Partial<StoreReader>> => ({
  findAdminKey: { findAdminKey: () => Promise.reject(error) },
  listApiKeys: { listApiKeys: () => Promise.reject(error) },
});

for (const [method, roster] of Object.entries(failing(new StoreUnavailable(INTERNAL_DETAILS)))) {
  describe(`when ${method} can't reach the store`, () => {
    test('the answer is a 503 with Retry-After and without internal details', async context => {
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

    test("requests that don't need the store are answered normally", async context => {
      const { send } = await startStubRosterService(context, roster);
      assert.equal((await send({ path: '/openapi.json' })).status, 200);
      assert.equal((await send({ headers: { 'x-api-key': undefined } })).status, 401);
      assert.equal((await send({ method: 'POST' })).status, 405);
    });
  });
}

const thrown: Record<string, unknown> = {
  'an error': new TypeError(INTERNAL_DETAILS),
  'an error that looks like a client error': Object.assign(new Error(INTERNAL_DETAILS), { statusCode: 404 }),
  'a string': INTERNAL_DETAILS,
};
for (const [what, error] of Object.entries(thrown))
  test(`when the store throws ${what}, the answer is a 500 without internal details, and the log has the cause`, async context => {
    for (const [method, roster] of Object.entries(failing(error))) {
      const { send, service, organization } = await startStubRosterService(context, roster);
      const { status, body, headers } = await send({ query: 'limit=5' });
      const message = 'an internal error; the request_id finds it in the log';
      assert.deepEqual([status, body.error], [500, { type: 'api_error', message }]);
      assert(!('retry-after' in headers));
      const known = method === 'listApiKeys' ? organization : undefined;
      assert.equal(headers['vendor-organization-id'], known);
      assertLogged(service.logText(), body.request_id);
    }
  });

test('the service keeps running after many errors', async context => {
  let fails = true;
  const listApiKeys = async () => {
    if (fails) throw new Error(INTERNAL_DETAILS);
    return EMPTY_PAGE;
  };
  const { send } = await startStubRosterService(context, { listApiKeys });
  for (let page = 0; page < 20; page++) assert.equal((await send({ query: 'limit=1000' })).status, 500);
  fails = false;
  assert.equal((await send()).status, 200);
});

test("a filter that a vendor's own table isn't made for is a 400 that names it, and no fault of the service", async t => {
  const { send } = await startStubRosterService(t, {
    listApiKeys: async (_, { filter }) => {
      throw new FilterNotServed(activeFilters(filter));
    },
  });
  const { status, body } = await send({ query: 'workspace_id=wrk_1&created_by_user_id=user_1' });
  assert.equal(status, 400);
  assert.equal(body.error.type, 'invalid_request_error');
  assert.equal(body.error.message, "workspace_id, created_by_user_id: this service can't filter by it");
});

function assertLogged(log: string, requestId: string): void {
  const lines = log.split('\n').filter(line => line.includes(requestId));
  assert(
    lines.some(line => JSON.parse(line).level >= 50 && line.includes('ECONNREFUSED')),
    'the log has the cause with the request ID',
  );
}
