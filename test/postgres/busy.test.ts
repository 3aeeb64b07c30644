import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerOf } from '../support/http.ts';
import { createOrganization, VENDOR } from '../support/roster.ts';
import { startService } from '../support/service.ts';
import { startStallingProxy } from '../support/stalling-proxy.ts';
import { storeAt } from '../support/store-at.ts';
import { postgres } from '../support/stores.ts';

/** Longer than a statement may take before the reader refuses new ones. */
const SLOW_MS = 501;

test('while PostgreSQL is slow, new requests get a 503 with Retry-After at once, and earlier ones are still answered', async t => {
  const store = await postgres.create();
  t.after(() => store.remove());
  const writer = await store.openWriter();
  const { secret } = await createOrganization(writer);
  await writer.close();
  const url = new URL(store.url);
  const proxy = await startStallingProxy(Number(url.port));
  url.port = String(proxy.port);
  const reader = await storeAt(url.href).openReader();
  const service = await startService(reader);
  const { send, close } = callerOf(service.port, secret, VENDOR);
  t.after(async () => {
    close();
    await Promise.all([service.close(), reader.close(), proxy.close()]);
  });
  assert.equal((await send()).status, 200);

  let now = 0;
  t.mock.method(performance, 'now', () => now);
  proxy.stall('answers');
  const reachedStore = Promise.withResolvers<void>();
  const { findAdminKey } = reader;
  t.mock.method(reader, 'findAdminKey', (...args: Parameters<typeof findAdminKey>) => {
    reachedStore.resolve();
    return findAdminKey(...args);
  });
  const earlier = send();
  await reachedStore.promise;
  now = SLOW_MS;
  const refused = await send();
  assert.equal(refused.status, 503);
  assert.deepEqual(refused.body.error, {
    type: 'overloaded_error',
    message: 'overloaded: more requests than can be answered in time; try again',
  });
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal((await send({ path: '/healthz' })).status, 200);
  const ready = send({ path: '/readyz' }); // waits instead of being refused

  proxy.resume();
  assert.equal((await ready).status, 200);
  assert.equal((await earlier).status, 200);
  assert.equal((await send()).status, 200);
});
