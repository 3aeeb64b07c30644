import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreBusy, StoreUnavailable } from '../../src/roster/errors.ts';
import { ApiError } from '../../src/server/errors.ts';
import { LONGEST_READ_MS, LONGEST_WAIT_MS } from '../../src/server/limits.ts';
import { Metrics } from '../../src/server/metrics.ts';
import { Overload } from '../../src/server/overload.ts';
import { calledService } from '../support/called-service.ts';
import { VENDOR } from '../support/roster.ts';
import { startService } from '../support/service.ts';
import { stubReader } from '../support/stub-reader.ts';

const HERE = {};
const overloaded = (error: unknown) => error instanceof ApiError && error.type === 'overloaded_error';

describe('a request is refused', () => {
  test('when those before it in the same turn of the event loop took too long, until the turn is over', async t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const overload = new Overload();
    for (; now <= LONGEST_WAIT_MS + 10; now += 10) overload.refuseBeyondCapacity({});
    assert.throws(() => overload.refuseBeyondCapacity({}), overloaded);
    await nextTurn();
    overload.refuseBeyondCapacity({});
  });

  test('but not when its client had an answer a moment ago: it was sent after that', t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const overload = new Overload();
    for (; now <= 10 * LONGEST_WAIT_MS; now += 10) {
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
    now = 10 * LONGEST_WAIT_MS;
    overload.refuseBeyondCapacity({});
  });

  test('while a read of the store is under way for too long', async t => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const overload = new Overload();
    const end = overload.beginRead();
    now = LONGEST_READ_MS + 1;
    overload.beginRead()();
    assert.throws(() => overload.refuseBeyondCapacity({}), overloaded);
    end();
    await nextTurn();
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

test('what is too much is answered 503 at once, with when to try again, and what was begun is still answered', async t => {
  const hanging = Promise.withResolvers<null>();
  const called = Promise.withResolvers<void>();
  const findAdminKey = () => {
    called.resolve();
    return hanging.promise;
  };
  const { ask } = await calledService(t, { findAdminKey });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const begun = ask();
  await called.promise;
  now = LONGEST_READ_MS + 1;

  const shed = await ask();
  assert.equal(shed.status, 503);
  assert.deepEqual(shed.body.error, {
    type: 'overloaded_error',
    message: 'overloaded: more requests than can be answered in time; try again',
  });
  assert.equal(shed.headers['retry-after'], '1');
  assert.equal((await ask({ path: '/healthz' })).status, 200);
  assert.equal((await ask({ path: '/readyz' })).status, 200);

  hanging.resolve(null);
  assert.equal((await begun).status, 401);
  assert.equal((await ask()).status, 401);
});
