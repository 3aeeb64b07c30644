import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../../../src/service/roster/errors.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { callerOf, startStubRosterService } from '../../support/http.ts';
import { startService } from '../../support/service.ts';

const withoutKey = { 'x-api-key': undefined };

describeEachStore('the service', (open, kind) => {
  test('is ready while the store can be read and has the current schema', async t => {
    const service = await startService(open.reader);
    const caller = callerOf(service.port, '');
    t.after(() => {
      caller.close();
      return service.close();
    });
    const answer = await caller.send({ path: '/readyz', headers: withoutKey });
    assert.equal(answer.status, 200);
    const lacksSettings = kind.name === 'Citus'; // as the tests serve as a superuser, not as keyroster_reader
    assert.deepEqual(answer.body, { status: lacksSettings ? 'degraded' : 'ready' });
  });
});

test('while the store can not be reached the service is alive but not ready, and reveals no internal details', async t => {
  const checkReadiness = () => Promise.reject(new StoreUnavailable('db.internal is down'));
  const { send } = await startStubRosterService(t, { checkReadiness });
  assert.deepEqual((await send({ path: '/healthz', headers: withoutKey })).body, { status: 'alive' });
  const answer = await send({ path: '/readyz', headers: withoutKey });
  assert.equal(answer.status, 503);
  assert.equal(answer.body.error.message, 'the roster cannot be read just now; try again');
});

test('concurrent readiness probes share one check of the store', async t => {
  let checks = 0;
  const gate = Promise.withResolvers<string[]>();
  const { send } = await startStubRosterService(t, {
    checkReadiness: () => {
      checks += 1;
      return gate.promise;
    },
  });
  const probes = Array.from({ length: 8 }, () => send({ path: '/readyz' }));
  await send({ path: '/healthz' });
  gate.resolve([]);
  for (const { status } of await Promise.all(probes)) assert.equal(status, 200);
  assert.ok(checks < probes.length, `${checks} checks`);
  await send({ path: '/readyz' });
  assert.ok(checks > 1, 'a later probe checks again');
});
