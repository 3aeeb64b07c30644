import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../../src/server/errors.ts';
import { LONGEST_READ_MS, LONGEST_WAIT_MS } from '../../src/server/limits.ts';
import { Overload } from '../../src/server/overload.ts';
import { calledService } from '../support/called-service.ts';

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
