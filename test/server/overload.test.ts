import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreBusy, StoreUnavailable } from '../../src/roster/errors.ts';
import { ApiError } from '../../src/server/errors.ts';
import { MAX_WAIT_MS } from '../../src/server/limits.ts';
import { Metrics } from '../../src/server/metrics.ts';
import { Overload } from '../../src/server/overload.ts';
import { LIST_API_KEYS_PATH } from '../../src/server/paths.ts';
import { pipeline } from '../support/pipeline.ts';
import { VENDOR } from '../support/roster.ts';
import { startService } from '../support/service.ts';
import { stubReader } from '../support/stub-reader.ts';
import { startStubRosterService } from '../support/stub-roster-service.ts';

const HERE = {};
const overloaded = (error: unknown) => error instanceof ApiError && error.type === 'overloaded_error';

describe('a request is refused', () => {
  test('when those before it in the same turn of the event loop took too long, until the turn is over', async t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const overload = new Overload();
    for (; now <= MAX_WAIT_MS + 10; now += 10) overload.refuseBeyondCapacity({});
    assert.throws(() => overload.refuseBeyondCapacity({}), overloaded);
    await nextTurn();
    overload.refuseBeyondCapacity({});
  });

  test('but not when its client had an answer a moment ago: it was sent after that', t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const overload = new Overload();
    for (; now <= 10 * MAX_WAIT_MS; now += 10) {
      overload.refuseBeyondCapacity(HERE);
      overload.answered(HERE);
    }
    assert.throws(() => overload.refuseBeyondCapacity({}), overloaded);
  });

  test('but not for one pause in which the whole process stood still', t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const overload = new Overload();
    overload.refuseBeyondCapacity({});
    now = 10 * MAX_WAIT_MS;
    overload.refuseBeyondCapacity({});
  });
});

test('what the store has no time for is answered 503 in the same words, and is no failure of the store', async t => {
  const metrics = new Metrics();
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

test('requests that come too late in a turn are answered 503 at once, and the others as ever', async t => {
  const { service, lines, send } = await startStubRosterService(t);
  let now = 0;
  // Each look at the clock takes a millisecond, as if there were much to do.
  t.mock.method(performance, 'now', () => ++now);
  const count = MAX_WAIT_MS;
  const bytes = `GET ${LIST_API_KEYS_PATH} HTTP/1.1\r\n${lines}\r\n`.repeat(count);
  const methods = Array.from({ length: count }, () => 'GET');
  const { answers } = await pipeline(service.port, bytes, { methods, closeAfter: count });
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.length, count);
  assert.deepEqual([statuses[0], statuses.at(-1)], [200, 503]);
  assert.deepEqual(new Set(statuses), new Set([200, 503]));
  const shed = answers.at(-1);
  assert.equal(shed?.headers['retry-after'], '1');
  assert.match(
    shed?.text ?? '',
    /"type":"overloaded_error","message":"overloaded: more requests than can be answered in time; try again"/,
  );
  assert.equal((await send()).status, 200);
});
