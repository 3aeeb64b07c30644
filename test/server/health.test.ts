import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StoreUnavailable } from '../../src/roster/errors.ts';
import { calledService } from '../support/called-service.ts';
import { describeEachStore } from '../support/each-store.ts';
import { callerOf } from '../support/http.ts';
import { startService } from '../support/service.ts';

const withoutKey = { 'x-api-key': undefined };

describeEachStore('readiness', open => {
  test('is there while the store can be read and has the current schema', async t => {
    const service = await startService(open.reader);
    const caller = callerOf(service.port, '');
    t.after(() => {
      caller.close();
      return service.close();
    });
    const answer = await caller.ask({ path: '/readyz', headers: withoutKey });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, { status: 'ready' });
  });
});

describe('when the store can not be reached', () => {
  const checkReadiness = () => Promise.reject(new StoreUnavailable('db.internal is away'));

  test('the service is alive, but not ready, and says nothing about the inside', async t => {
    const { ask } = await calledService(t, { checkReadiness });
    assert.deepEqual((await ask({ path: '/healthz', headers: withoutKey })).body, { status: 'alive' });
    const answer = await ask({ path: '/readyz', headers: withoutKey });
    assert.equal(answer.status, 503);
    assert.equal(answer.body.error.message, 'the roster cannot be read just now; try again');
  });
});

test('however many ask whether it is ready, one check is under way at a time', async t => {
  let checks = 0;
  const gate = Promise.withResolvers<void>();
  const { ask } = await calledService(t, {
    checkReadiness: () => {
      checks += 1;
      return gate.promise;
    },
  });
  const asked = Array.from({ length: 8 }, () => ask({ path: '/readyz' }));
  await ask({ path: '/healthz' });
  gate.resolve();
  for (const { status } of await Promise.all(asked)) assert.equal(status, 200);
  assert.ok(checks < asked.length, `${checks} checks`);
  await ask({ path: '/readyz' });
  assert.ok(checks > 1, 'a later one is checked again');
});

test('health is asked with GET or HEAD', async t => {
  const { ask } = await calledService(t);
  for (const path of ['/healthz', '/readyz']) {
    assert.equal((await ask({ path, method: 'HEAD' })).status, 200);
    assert.equal((await ask({ path, method: 'POST' })).status, 405);
  }
});
