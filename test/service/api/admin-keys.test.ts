import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import type { StoreReader } from '../../../src/service/roster/pages/reader.ts';
import { type Duration, parseDuration } from '../../../src/shared/record/duration.ts';
import type { Timestamp } from '../../../src/shared/record/timestamp.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { type Caller, callerOf, type Received, startStubRosterService } from '../../support/http.ts';
import { createAdminKey, createOrganization, now, VENDOR } from '../../support/roster.ts';
import { startService, type TestService } from '../../support/service.ts';

const MICROSECONDS_AN_HOUR = 3_600_000_000n;
const NOT_VALID = 'x-api-key: not a valid admin key';

describeEachStore('authentication', open => {
  const lookups: Uint8Array[] = [];
  let service: TestService;
  let caller: Caller;
  let organization: Awaited<ReturnType<typeof createOrganization>>;
  before(async () => {
    const reader: StoreReader = {
      ...open.reader,
      findAdminKey: (digest, at) => {
        lookups.push(digest);
        return open.reader.findAdminKey(digest, at);
      },
    };
    const maxAdminKeyAge = parseDuration('30d') as Duration;
    service = await startService(reader, VENDOR, { maxAdminKeyAge, trustedProxies: ['127.0.0.1'] });
    organization = await createOrganization(open.writer);
    caller = callerOf(service.port, organization.secret);
  });
  after(async () => {
    caller.close();
    await service.close();
  });
  const create = (fields: Parameters<typeof createAdminKey>[2] = {}) =>
    createAdminKey(open.writer, organization.id, fields);
  const sendWith = (secret: string | string[], from = '203.0.113.7') =>
    caller.send({ headers: { 'x-api-key': secret, 'x-forwarded-for': from } });
  const inHours = (hours: bigint) => (now() + hours * MICROSECONDS_AN_HOUR) as Timestamp;

  test('every valid key gets an answer that names its organization, also one that expires later', async () => {
    const other = await createOrganization(open.writer);
    const second = await create({ expiresAt: inHours(24n) });
    const ofAFastClock = await create({ createdAt: inHours(23n) });
    const ours = [organization.secret, second, ofAFastClock];
    for (const { id, secret } of [other, ...ours.map(secret => ({ ...organization, secret }))]) {
      const answer = await sendWith(secret);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['vendor-organization-id'], id);
    }
  });

  test('a key works from its networks only', async () => {
    const networks = ['203.0.113.0/24', '2001:db8::/32'];
    const bound = await create({ createdAt: inHours(-29n * 24n), networks });
    for (const from of ['203.0.113.7', '203.0.113.255', '::ffff:203.0.113.7', '2001:db8::7'])
      assert.equal((await sendWith(bound, from)).status, 200, from);
    for (const from of ['203.0.114.7', '10.0.0.1', '2001:db9::7', 'unknown', '127.0.0.1']) {
      assert.equal((await sendWith(bound, from)).status, 401, from);
      assert.equal((await sendWith(organization.secret, from)).status, 200, from);
    }
  });

  test('every other invalid key gets the same answer, and no line with its ID, after one lookup or none', async () => {
    const { secret } = organization;
    const lookedUp = {
      unknown: AdminKeySecret.issue(VENDOR).reveal(),
      revoked: await create({ revokedAt: now() }),
      expired: await create({ expiresAt: (now() - 1n) as Timestamp }),
      'too old': await create({ createdAt: inHours(-30n * 24n) }),
      'made in more than a day': await create({ createdAt: inHours(25n) }),
      'from elsewhere': await create({ networks: ['198.51.100.1'] }),
    };
    const malformed: Record<string, string | string[]> = {
      mistyped: secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0'),
      malformed: 'sk-1234',
      empty: '',
      'not ASCII': 'vendor-admin01-é',
      'in another case': secret.toUpperCase(),
      cut: secret.slice(0, -1),
      'too long': `${secret}0`,
      'very long': 'a'.repeat(8_000),
      prefixed: `Bearer ${secret}`,
      'sent twice': [secret, secret],
      'sent after another': [AdminKeySecret.issue(VENDOR).reveal(), secret],
      'sent with an empty one': [secret, ''],
    };
    for (const [what, key] of Object.entries({ ...lookedUp, ...malformed })) {
      lookups.length = 0;
      assertNotValid(await sendWith(key), what);
      assert.equal(lookups.length, what in lookedUp ? 1 : 0, what);
      const line = service.logText().trim().split('\n').at(-1) ?? '';
      assert.equal(JSON.parse(line).admin_key_id, undefined, what);
    }
  });
});

test('an admin key with a network that is none, written past Keyroster, works from its other networks only', async t => {
  for (const wrong of ['999.1.1.1/40', '127.0.0.1/33', '127.0.0.1/', '', '::1/129', 'x', '127.0.0.1/8/8']) {
    const { send } = await startStubRosterService(t, {}, { networks: [wrong] });
    assert.equal((await send()).body.error?.message, NOT_VALID, wrong);
    const other = await startStubRosterService(t, {}, { networks: [wrong, '127.0.0.0/8'] });
    assert.equal((await other.send()).status, 200, wrong);
  }
});

/** With no header that could reveal why. */
function assertNotValid({ status, text, headers }: Received, what: string): void {
  const expected = { type: 'error', error: { type: 'authentication_error', message: NOT_VALID } };
  assert.deepEqual(
    [status, text],
    [401, JSON.stringify({ ...expected, request_id: headers['request-id'] })],
    what,
  );
  const same = ['request-id', 'cache-control', 'x-content-type-options', 'content-type', 'content-length'];
  const usual = [...same, 'date', 'connection', 'keep-alive'];
  assert.deepEqual(
    Object.keys(headers).filter(name => !usual.includes(name)),
    [],
    what,
  );
}
