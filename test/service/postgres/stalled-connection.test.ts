/** A connection to PostgreSQL on which nothing arrives any more, or not in time. */

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Refused } from '../../../src/shared/record/faults.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { callerOf } from '../../support/http.ts';
import { newStore, writerOf } from '../../support/opened.ts';
import { retryOverloaded } from '../../support/retry-overloaded.ts';
import { ALL, createOrganization, now, VENDOR } from '../../support/roster.ts';
import { atEndOf, type Scope, suiteScope } from '../../support/scope.ts';
import { startService } from '../../support/service.ts';
import { startStallingProxy } from '../../support/stalling-proxy.ts';
import { storeAt } from '../../support/store-at.ts';
import type { TestStore } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

const OVERLOADED = {
  type: 'overloaded_error',
  message: 'overloaded: more requests than can be answered in time; try again',
};

describe('a connection to PostgreSQL that stalls', { concurrency: true }, () => {
  const scope = suiteScope();
  let store: TestStore;
  let secret: string;
  before(async () => {
    store = await newStore(scope);
    ({ secret } = await createOrganization(await writerOf(scope, store)));
  });

  async function throughProxy(scope: Scope) {
    const url = new URL(store.url);
    const proxy = await startStallingProxy(scope, Number(url.port));
    url.port = String(proxy.port);
    return { proxy, behind: storeAt(url.href) };
  }
  async function serviceThroughProxy(scope: Scope) {
    const { proxy, behind } = await throughProxy(scope);
    const reader = await behind.openReader();
    const service = await startService(reader);
    const close = () => Promise.all([service.close(), reader.close()]);
    assert.equal((await service.list(secret)).status, 200);
    return { proxy, service, close };
  }

  test('times out, and is replaced once PostgreSQL can be reached again', async t => {
    const { proxy, service, close } = await serviceThroughProxy(t);
    atEndOf(t, close);
    proxy.stall('both');
    // First the open connection, then a new one, whose handshake gets no answer.
    for (const _ of [1, 2])
      for (const { status, headers } of await Promise.all([1, 2, 3].map(() => service.list(secret)))) {
        assert.equal(status, 503);
        assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      }
    proxy.resume();
    const answers = await Promise.all([1, 2, 3].map(() => service.listWithRetry(secret)));
    for (const { status } of answers) assert.equal(status, 200);
  });

  test('does not keep the service from closing', async t => {
    const { proxy, close } = await serviceThroughProxy(t);
    proxy.stall('both');
    await close();
  });

  test('soon has new requests get a 503 with Retry-After, and earlier ones are still answered', async t => {
    const { proxy, service, close } = await serviceThroughProxy(t);
    atEndOf(t, close);
    const { send, close: closeCaller } = callerOf(service.port, secret, VENDOR);
    atEndOf(t, closeCaller);
    proxy.stall('answers');
    // Each has a connection: those of `send` would soon wait for one.
    const asked = [1, 2, 3, 4].map(() => service.list(secret));
    const refused = await Promise.race(asked);
    assert.equal(refused.status, 503);
    assert.deepEqual(refused.body.error, OVERLOADED);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal((await send({ path: '/healthz' })).status, 200);
    const ready = send({ path: '/readyz' }); // waits instead of being refused
    proxy.resume();
    assert.equal((await ready).status, 200);
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    assert(statuses.includes(200));
    assert.equal((await retryOverloaded(send)).status, 200);
  });

  test("doesn't have an error claim that nothing was changed, when it breaks before a commit is acknowledged", async t => {
    const direct = await writerOf(t, store);
    const { proxy, behind } = await throughProxy(t);
    const writer = await writerOf(t, behind);
    proxy.stallAnswersAfter('COMMIT\0');
    const id = 'org_committed' as OrganizationId;
    const refused = assert.rejects(
      writer.createOrganization({ id, name: 'Committed', createdAt: now() }),
      (error: unknown) =>
        error instanceof Refused &&
        /^database: [^\n]*check whether it was done before you run it again$/.test(error.message),
    );
    const isCommitted = async () => (await direct.listOrganizations(...ALL)).some(each => each.id === id);
    await until('it is committed', isCommitted);
    proxy.cut();
    await refused;
  });
});
