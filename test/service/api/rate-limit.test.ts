import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { ApiError } from '../../../src/service/api/errors.ts';
import { MAX_COUNTED_CALLERS } from '../../../src/service/api/limits.ts';
import { RateLimit } from '../../../src/service/api/rate-limit.ts';
import { callerOf } from '../../support/http.ts';
import { VENDOR } from '../../support/roster.ts';
import { startService, stubReader } from '../../support/service.ts';

/** A service with a rate limit and a fake clock that doesn't advance. */
async function limitedService(scope: TestContext, rateLimit: number, trustedProxies: string[] = []) {
  scope.mock.method(performance, 'now', () => 0);
  const { reader, secret } = stubReader();
  const service = await startService(reader, VENDOR, { rateLimit, trustedProxies });
  const caller = callerOf(service.port, secret);
  scope.after(() => {
    caller.close();
    return service.close();
  });
  return { ...caller, withoutKey: { 'x-api-key': undefined } };
}

describe('with a rate limit', () => {
  test('an admin key gets the allowed number of answers a minute, and each says how many are left', async t => {
    const { send } = await limitedService(t, 3);
    for (const left of [2, 1, 0]) {
      const answer = await send();
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['ratelimit-policy'], '"admin-key";q=3;w=60');
      assert.equal(answer.headers.ratelimit, `"admin-key";r=${left};t=60`);
    }
    const refused = await send();
    assert.equal(refused.status, 429);
    assert.equal(refused.body.error.type, 'rate_limit_error');
    assert.match(
      refused.body.error.message,
      /^rate limit: more than 3 requests with this admin key in 60 s; try again in \d+ s$/,
    );
    assert.match(String(refused.headers.ratelimit), /^"admin-key";r=0;t=\d+$/);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.ok('vendor-organization-id' in refused.headers);
  });

  test('a request refused for its parameters counts like any other', async t => {
    const { send } = await limitedService(t, 2);
    assert.equal((await send({ query: 'limit=0' })).status, 400);
    assert.equal((await send({ query: 'limit=0' })).status, 400);
    assert.equal((await send({ query: 'limit=0' })).status, 429);
  });

  test('failed authentications from an address are limited, whatever x-forwarded-for it sends', async t => {
    const { send, withoutKey } = await limitedService(t, 3);
    for (let number = 0; number < 3; number++) {
      const headers = { ...withoutKey, 'x-forwarded-for': `203.0.113.${number}` };
      assert.equal((await send({ headers })).status, 401);
    }
    const refused = await send({ headers: { ...withoutKey, 'x-forwarded-for': '203.0.113.9' } });
    assert.equal(refused.status, 429);
    assert.match(String(refused.headers['ratelimit-policy']), /^"failed-authentication";q=3;w=60$/);
    assert.match(refused.body.error.message, /failed authentications from this address/);
    assert.ok(!('vendor-organization-id' in refused.headers));
  });

  test('a valid admin key is served even when its address had too many failures', async t => {
    const { send, withoutKey } = await limitedService(t, 2);
    for (const status of [401, 401, 429]) {
      assert.equal((await send({ headers: withoutKey })).status, status);
    }
    assert.equal((await send()).status, 200);
  });
});

test('with a rate limit of 0 nothing is limited, and no rate limit header is sent', async t => {
  const { send, withoutKey } = await limitedService(t, 0);
  for (let number = 0; number < 70; number++) assert.equal((await send({ headers: withoutKey })).status, 401);
  const answer = await send();
  assert.equal(answer.status, 200);
  assert.ok(!('ratelimit' in answer.headers) && !('ratelimit-policy' in answer.headers));
});

describe('a count', () => {
  const policy = { name: 'test', quota: 2, counted: 'requests' };
  const refused = (error: unknown) => error instanceof ApiError && error.status === 429;

  test('restarts after a minute, and says how many seconds are left until then', async t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const limit = new RateLimit(policy);
    limit.count('a');
    now = 59_000;
    assert.equal(limit.count('a').ratelimit, '"test";r=0;t=1');
    assert.throws(() => limit.count('a'), refused);
    now = 60_000;
    assert.equal(limit.count('a').ratelimit, '"test";r=1;t=60');
  });

  test('is evicted when there are too many, starting with the one that ends first', () => {
    const limit = new RateLimit({ ...policy, quota: 1 });
    for (let caller = 0; caller <= MAX_COUNTED_CALLERS; caller++) limit.count(String(caller));
    limit.count('0');
    assert.throws(() => limit.count(String(MAX_COUNTED_CALLERS)), refused);
  });
});
