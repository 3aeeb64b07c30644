import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { callerOf } from '../support/http.ts';
import { retryOverloaded } from '../support/retry-overloaded.ts';
import { createOrganization, VENDOR } from '../support/roster.ts';
import { startService } from '../support/service.ts';
import { startStallingProxy } from '../support/stalling-proxy.ts';
import { storeAt } from '../support/store-at.ts';
import { postgres } from '../support/stores.ts';

test('while PostgreSQL is slow, new requests soon get a 503 with Retry-After at once, and earlier ones are still answered', async t => {
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

  proxy.stall('answers');
  const asked: ReturnType<typeof service.list>[] = [];
  const refused = await (async () => {
    for (;;) {
      const answer = service.list(secret); // each has a connection: those of `send` would soon wait for one
      asked.push(answer);
      const first = await Promise.race([answer, wait(50)]);
      if (first?.body.error.type === OVERLOADED.type) return first; // on a busy machine a connection may time out before
    }
  })();
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

const OVERLOADED = {
  type: 'overloaded_error',
  message: 'overloaded: more requests than can be answered in time; try again',
};
