import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../../src/api/errors.ts';
import { MAX_WAIT_MS } from '../../src/api/limits.ts';
import { Overload } from '../../src/api/overload.ts';
import { LIST_API_KEYS_PATH } from '../../src/api/paths.ts';
import { StoreBusy, StoreUnavailable } from '../../src/roster/errors.ts';
import { processMetrics } from '../../src/server/metrics-server.ts';
import { VENDOR } from '../support/roster.ts';
import { startService } from '../support/service.ts';
import { stubReader } from '../support/stub-reader.ts';
import { startStubRosterService } from '../support/stub-roster-service.ts';
import { sendUnread } from '../support/unread-answers.ts';

const CONNECTION = {};
const overloaded = (error: unknown) => error instanceof ApiError && error.type === 'overloaded_error';

describe('a request', () => {
  test('is refused when the requests before it in the same turn of the event loop took too long, until the turn ends', async t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const overload = new Overload();
    for (; now <= MAX_WAIT_MS + 10; now += 10) overload.refuseBeyondCapacity({});
    assert.throws(() => overload.refuseBeyondCapacity({}), overloaded);
    await nextTurn();
    overload.refuseBeyondCapacity({});
  });

  test('is not refused when its connection has just been answered, because it was sent after that answer', t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const overload = new Overload();
    for (; now <= 10 * MAX_WAIT_MS; now += 10) {
      overload.refuseBeyondCapacity(CONNECTION);
      overload.answered(CONNECTION);
    }
    assert.throws(() => overload.refuseBeyondCapacity({}), overloaded);
  });

  test('is not refused because of a single pause of the whole process', t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const overload = new Overload();
    overload.refuseBeyondCapacity({});
    now = 10 * MAX_WAIT_MS;
    overload.refuseBeyondCapacity({});
  });
});

test("a busy store is answered with the 503 of an overload, and isn't counted as a failure of the store", async t => {
  const metrics = processMetrics();
  const refusedBy = async (error: Error) => {
    const { reader, secret } = stubReader({ listApiKeys: () => Promise.reject(error) });
    const service = await startService(reader, VENDOR, { metrics });
    t.after(() => service.close());
    const { status, body, headers } = await service.list(secret);
    const { values } = await metrics.storeFailures.get();
    return [status, body.error.type, headers.get('retry-after'), values.length];
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
