import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { xApiKeyOrBearer } from '../../../src/service/api/admin-keys.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import { callerOf, type Received } from '../../support/http.ts';
import { VENDOR } from '../../support/roster.ts';
import { startService, stubReader } from '../../support/service.ts';

const accepted = { authentication: xApiKeyOrBearer, versions: [] };
let lookups = 0;
const stub = stubReader();
const { secret, organization } = stub;
const service = await startService(
  {
    ...stub.reader,
    findAdminKey: (digest, at) => {
      lookups += 1;
      return stub.reader.findAdminKey(digest, at);
    },
  },
  VENDOR,
  { bearer: true },
);
const caller = callerOf(service.port, secret, VENDOR, accepted);
after(async () => {
  caller.close();
  await service.close();
});
const unknown = AdminKeySecret.issue(VENDOR).reveal();

/** Sends these two headers, and no other that has an admin key. */
const send = (authorization: string | string[] | undefined, xApiKey?: string | string[]) =>
  caller.send({ headers: { Authorization: authorization, 'x-api-key': xApiKey } });

function assertRefused({ status, headers, text }: Received, rule: string, what: string): void {
  const message = `x-api-key, authorization: ${rule}`;
  const body = { type: 'error', error: { type: 'authentication_error', message } };
  assert.equal(status, 401, what);
  assert.equal(text, JSON.stringify({ ...body, request_id: headers['request-id'] }), what);
  assert.equal(headers['www-authenticate'], 'Bearer realm="admin key"', what);
  assert.equal(headers['vendor-organization-id'], undefined, what);
}

describe('with bearer, an admin key', () => {
  beforeEach(() => {
    lookups = 0;
  });

  test('is accepted in authorization, in x-api-key, and in both', async () => {
    const ways: [string | undefined, string?][] = [
      [`Bearer ${secret}`],
      [`bearer ${secret}`],
      [`BEARER   ${secret} `],
      [undefined, secret],
      [`Bearer ${secret}`, secret],
    ];
    for (const way of ways) {
      const answer = await send(...way);
      assert.equal(answer.status, 200, way.join());
      assert.equal(answer.headers['vendor-organization-id'], organization);
      assert.equal(answer.headers['www-authenticate'], undefined);
    }
    assert.equal(lookups, ways.length);
  });

  test('that is unknown gets one answer after one lookup, whichever header it is in', async () => {
    const token = `Bearer ${unknown}`;
    for (const [authorization, xApiKey] of [[token], [undefined, unknown], [token, unknown]]) {
      lookups = 0;
      assertRefused(
        await send(authorization, xApiKey),
        'not a valid admin key',
        `${authorization} ${xApiKey}`,
      );
      assert.equal(lookups, 1);
    }
  });

  test('that is malformed or sent twice gets the same answer, as it does in x-api-key', async () => {
    const wrong = [
      ...['Bearer', `Bearer ${secret} x`, `Bearer ${secret}, Bearer ${secret}`, `Bearer "${secret}"`],
      [`Bearer ${secret}`, `Bearer ${secret}`],
      [`Bearer ${secret}`, 'Basic dTpw'],
      ['Basic dTpw', `Bearer ${secret}`],
    ];
    for (const authorization of wrong)
      assertRefused(await send(authorization), 'not a valid admin key', String(authorization));
    assertRefused(await send(undefined, [secret, secret]), 'not a valid admin key', 'x-api-key twice');
    assert.equal(lookups, 0);
  });

  test('that differs between the two headers is refused, though one of them is valid', async () => {
    const ways: [string, string | string[]][] = [
      [`Bearer ${secret}`, unknown],
      [`Bearer ${unknown}`, secret],
      [`Bearer ${secret}`, ''],
      ['Bearer', secret],
      [`Bearer ${secret}`, [secret, secret]],
    ];
    for (const way of ways)
      assertRefused(await send(...way), 'send one of them, or the same admin key in both', way.join());
    assert.equal(lookups, 0);
  });

  test('is not read from another scheme, which is ignored', async () => {
    const rule = 'one of them is required, authorization with Bearer';
    for (const other of [secret, `Bearer: ${secret}`, `Basic x, Bearer ${secret}`, '', undefined]) {
      assertRefused(await send(other), rule, String(other));
      assert.equal((await send(other, secret)).status, 200, String(other));
    }
  });
});

test('with bearer, failed authentications are limited in either header', async context => {
  const { reader } = stubReader();
  const limited = await startService(reader, VENDOR, { bearer: true, rateLimit: 1 });
  const { send, close } = callerOf(limited.port, unknown, VENDOR, accepted);
  context.after(async () => {
    close();
    await limited.close();
  });
  const headers = { 'x-api-key': undefined, authorization: `Bearer ${unknown}` };
  assert.equal((await send({ headers })).status, 401);
  assert.equal((await send({ headers })).status, 429);
  assert.equal((await send()).status, 429);
});
