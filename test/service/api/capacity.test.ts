import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { adminKeyAuthentication } from '../../../src/service/api/admin-keys.ts';
import { createApi } from '../../../src/service/api/api.ts';
import { Capacity } from '../../../src/service/api/capacity.ts';
import { ApiError, overloadError } from '../../../src/service/api/errors.ts';
import { MAX_KEYS_BEING_READ, MAX_KEYS_STUCK, MAX_WAIT_MS } from '../../../src/service/api/limits.ts';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { StoreBusy, StoreUnavailable } from '../../../src/service/roster/errors.ts';
import { processMetrics } from '../../../src/service/server/metrics-server.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { startStubRosterService } from '../../support/http.ts';
import { listRequest } from '../../support/raw-corpus.ts';
import { createOrganization, importKeys, sqlite, VENDOR } from '../../support/roster.ts';
import { startService, stubReader, type TestService } from '../../support/service.ts';
import type { Tenant } from '../../support/service-process.ts';
import { keysWithLongNames, sendUnread } from '../../support/unread-answers.ts';
import { until } from '../../support/until.ts';

const CONNECTION = {};
const overloaded = (error: unknown) => error instanceof ApiError && error.type === 'overloaded_error';

describe('a request', () => {
  test('is refused when the requests before it in the same turn of the event loop took too long, until the turn ends', async t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const capacity = new Capacity();
    for (; now <= MAX_WAIT_MS + 10; now += 10) capacity.refuseLate({});
    assert.throws(() => capacity.refuseLate({}), overloaded);
    await nextTurn();
    capacity.refuseLate({});
  });

  test('is not refused when its connection has just been answered, because it was sent after that answer', t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const capacity = new Capacity();
    for (; now <= 10 * MAX_WAIT_MS; now += 10) {
      capacity.refuseLate(CONNECTION);
      capacity.answered(CONNECTION);
    }
    assert.throws(() => capacity.refuseLate({}), overloaded);
  });

  test('is not refused because of a single pause of the whole process', t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const capacity = new Capacity();
    capacity.refuseLate({});
    now = 10 * MAX_WAIT_MS;
    capacity.refuseLate({});
  });
});

test('a request over a connection whose answer has just been sent is answered, however long the turn is', async t => {
  const { reader, secret } = stubReader();
  const authentication = adminKeyAuthentication(reader, {});
  const api = createApi({ roster: reader, authentication, vendor: VENDOR, compression: false });
  const headers = { 'x-api-key': secret, [`${VENDOR}-version`]: '2023-06-01' };
  const statusOver = async (connection: object) => {
    const request = {
      ...{ method: 'GET', url: LIST_API_KEYS_PATH, connection, original: null, peerAddress: '127.0.0.1' },
      header: (name: string) => headers[name],
      headerValues: (name: string) => [headers[name] ?? ''],
      headers: () => new Headers(headers),
      hasBodyOfUnknownLength: false,
      clientHasLeft: false,
      requireWellFormed() {},
    };
    const answer = await api.answer(request);
    answer.sent?.(0);
    api.answered(request, answer, true);
    return answer.status;
  };
  const connection = {};
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  for (; now <= 2 * MAX_WAIT_MS; now += 10) assert.equal(await statusOver(connection), 200);
  assert.equal(await statusOver({}), 503);
});

test("a busy store is answered with the 503 of an overload, and isn't counted as a failure of the store", async t => {
  const metrics = processMetrics();
  const refusedBy = async (error: Error) => {
    const { reader, secret } = stubReader({ listApiKeys: () => Promise.reject(error) });
    const service = await startService(reader, VENDOR, { metrics });
    t.after(() => service.close());
    const { status, body, headers } = await service.list(secret);
    const { values } = await metrics.storeFailures.get();
    const failures = values.reduce((sum, { value }) => sum + value, 0);
    return [status, body.error.type, headers.get('retry-after'), failures];
  };
  assert.deepEqual(await refusedBy(new StoreBusy()), [503, 'overloaded_error', '1', 0]);
  assert.deepEqual(await refusedBy(new StoreUnavailable('gone')), [503, 'api_error', '5', 1]);
});

test('the requests that come too late in a turn get a 503 at once, and the others are answered normally', async t => {
  const { service, lines, send } = await startStubRosterService(t);
  let now = performance.now();
  // A fake clock that advances by a millisecond each time it is read, as under load.
  t.mock.method(performance, 'now', () => ++now);
  const count = MAX_WAIT_MS;
  const bytes = `GET ${LIST_API_KEYS_PATH} HTTP/1.1\r\nconnection: close\r\n${lines}\r\n`;
  const sockets = await sendUnread(service.port, bytes, count);
  const answers = await Promise.all(sockets.map(socket => text(socket)));
  const statuses = answers.map(answer => answer.slice(9, 12));
  assert.deepEqual(new Set(statuses), new Set(['200', '503']));
  const refused = answers[statuses.indexOf('503')] ?? '';
  assert.match(refused, /^retry-after: 1\r$/m);
  assert.match(
    refused,
    /"type":"overloaded_error","message":"overloaded: more requests than can be answered in time; try again"/,
  );
  assert.equal((await send()).status, 200);
});

const MAX_BYTES = 32 * 2 ** 20;

describeEachStore(
  'pages that are requested and not read',
  open => {
    const metrics = processMetrics();
    let service: TestService;
    let tenant: Tenant;
    let others: Tenant[];

    before(async () => {
      const tenants: Tenant[] = [];
      for (let number = 0; number < 6; number++) {
        const { id: organization, secret } = await createOrganization(open.writer);
        await importKeys(open.writer, organization, keysWithLongNames(1_000));
        tenants.push({ organization, secret });
      }
      [tenant, ...others] = tenants as [Tenant, ...Tenant[]];
      service = await startService(open.reader, VENDOR, { metrics, maxUnreadBytes: MAX_BYTES });
    });
    after(() => service.close());

    const closing = (who: Tenant) => listRequest(who, 1_000, 'connection: close\r\n');
    const noneIsCounted = async () => {
      await until('all answers are read', () => metrics.unreadBytes() === 0);
      assert.equal(metrics.unreadBytes(), 0);
    };

    test('get a 429 beyond the share of their admin key, while other keys and /healthz are answered; all that was sent can be read', async () => {
      const sockets: Socket[] = [];
      const send = async () => sockets.push(...(await sendUnread(service.port, closing(tenant), 2)));
      while ((await service.list(tenant.secret, 'limit=1')).status !== 429) await send(); // a busy machine may refuse some
      await send();
      assert.equal((await service.listWithRetry(String(others[0]?.secret), 'limit=1')).status, 200);
      assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
      assert(metrics.unreadBytes() < MAX_BYTES / 4 + MAX_KEYS_BEING_READ * 4_400);

      const answers = await Promise.all(sockets.map(socket => text(socket)));
      const statuses = answers.map(answer => answer.slice(9, 12));
      assert(statuses.includes('200') && statuses.includes('429'), String(statuses));
      for (const answer of answers) {
        if (answer.startsWith('HTTP/1.1 200')) assert.match(answer, /"has_more":false\}$/);
        else assert.match(answer, /^retry-after: 1\r$.*"(rate_limit|overloaded)_error"/ms); // overloaded: on a busy machine
      }
      await noneIsCounted();
      assert.equal((await service.listWithRetry(tenant.secret, 'limit=1')).status, 200);
    });

    test('get a 503 beyond the memory for all admin keys, until the clients read or leave', async () => {
      const sockets: Socket[] = [];
      while ((await service.list(tenant.secret, 'limit=1')).status !== 503)
        for (const other of others) sockets.push(...(await sendUnread(service.port, closing(other), 1)));
      for (const path of ['healthz', 'readyz'])
        assert.equal((await fetch(`${service.url}/${path}`)).status, 200);
      for (const socket of sockets) socket.resetAndDestroy();
      await noneIsCounted();
      assert.equal((await service.listWithRetry(tenant.secret, 'limit=1')).status, 200);
    });
  },
  [sqlite],
);

/** Some ticks of the microtask queue. */
async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick++) await null;
}

test('the count of unread bytes returns to 0 after any pages that are read, left and refused, and at most so many keys are read at a time', async t => {
  t.mock.method(performance, 'now', () => 0); // a pause of the machine would make reads stuck
  const pages = fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    keys: fc.integer({ min: 1, max: 1_000 }),
    bytes: fc.integer({ min: 0, max: 1_000 }),
    outcome: fc.constantFrom('taken', 'left before', 'failed'),
    before: fc.nat(20),
    reading: fc.nat(20),
    unread: fc.nat(40),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(pages, { maxLength: 60 }), async all => {
      const capacity = new Capacity(4_000);
      let keysBeingRead = 0;
      const run = async ({ key, keys, bytes, outcome, ...delays }: (typeof all)[number]) => {
        await ticks(delays.before);
        const { turn, end } = capacity.beginRead(key, key, keys);
        await turn;
        let read = () => {};
        try {
          keysBeingRead += keys;
          assert(keysBeingRead <= MAX_KEYS_BEING_READ);
          await ticks(delays.reading);
          if (outcome !== 'failed') read = capacity.sent(key, bytes);
        } finally {
          keysBeingRead -= keys;
          end();
        }
        if (outcome !== 'left before') await ticks(delays.unread);
        read();
      };
      for (const result of await Promise.allSettled(all.map(run)))
        if (result.status === 'rejected') assert(result.reason instanceof ApiError, String(result.reason));
      assert.equal(capacity.unreadBytes, 0);
      assert.equal(capacity.beginRead('a', 'a', MAX_KEYS_BEING_READ).turn, undefined);
    }),
    { numRuns: 300 },
  );
});

describe('a read', () => {
  test('that waits behind others for too long is refused with a 503', async () => {
    const capacity = new Capacity(1_000);
    for (let each = 0; each < (MAX_KEYS_BEING_READ + MAX_KEYS_STUCK) / 1_000; each++)
      await capacity.beginRead('a', `${each}`, 1_000).turn;
    const waiting = Array.from({ length: 3 }, () => capacity.beginRead('b', 'b', 1).turn);
    for (const turn of waiting) await assert.rejects(async () => turn, overloadError());
  });

  test('that waited is refused when its admin key has too many unread pages by then', async () => {
    const capacity = new Capacity(1_000);
    const first = capacity.beginRead('a', 'a', MAX_KEYS_BEING_READ);
    const [same, other] = [capacity.beginRead('a', 'a', 1), capacity.beginRead('b', 'b', 1)];
    capacity.sent('a', 250);
    first.end();
    await assert.rejects(async () => same.turn, { status: 429 });
    await other.turn;
  });

  test('that waits behind reads of another organization that hang has its turn while they do', async () => {
    const capacity = new Capacity(1_000);
    for (let read = 0; read < 4; read++) assert.equal(capacity.beginRead('a', 'a', 1_000).turn, undefined);
    const waiting = Array.from({ length: 4 }, () => capacity.beginRead('b', 'b', 1_000));
    await Promise.all(waiting.map(({ turn }) => turn));
    assert.notEqual(waiting[0]?.turn, undefined);
  });

  test('does not hang because the whole process was paused: the next ones have their turn when it ends', async t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const capacity = new Capacity(1_000);
    const reads = Array.from({ length: 4 }, () => capacity.beginRead('a', 'a', 1_000));
    now += 10 * MAX_WAIT_MS;
    const waiting = Array.from({ length: 4 }, () => capacity.beginRead('a', 'a', 1_000));
    for (const { end } of reads) end();
    await Promise.all(waiting.map(({ turn }) => turn ?? assert.fail('it was read beside those under way')));
  });

  test('is refused with a 503 while too many pages of its organization hang; others are read', async () => {
    const capacity = new Capacity(1_000);
    const reads = Array.from({ length: 30 }, () => capacity.beginRead('a', 'a', 1_000));
    const other = capacity.beginRead('b', 'b', 1_000);
    await other.turn;
    const refused = reads.slice(4).map(({ turn }) => assert.rejects(async () => turn, overloadError()));
    await Promise.all(refused);
    assert.throws(() => capacity.beginRead('a', 'a', 1), overloadError());
    for (const { end } of reads.slice(0, 4)) end();
    assert.equal(capacity.beginRead('a', 'a', 1_000).turn, undefined);
  });
});
