import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StoreReader } from '../../src/roster/roster.ts';
import { createOrganization } from '../support/roster.ts';
import { startService, type TestService } from '../support/service.ts';
import { type StallingProxy, startStallingProxy } from '../support/stalling-proxy.ts';
import { storeAt } from '../support/store-at.ts';
import { postgres, type TestStore } from '../support/stores.ts';

describe('a connection to PostgreSQL that hangs', { concurrency: true }, () => {
  let store: TestStore;
  let secret: string;
  before(async () => {
    store = await postgres.create();
    const writer = await store.openWriter();
    ({ secret } = await createOrganization(writer));
    await writer.close();
  });
  after(() => store.remove());

  test('times out, and is replaced once PostgreSQL can be reached again', async t => {
    const { proxy, service, reader } = await serviceThroughProxy();
    t.after(() => Promise.all([service.close(), reader.close(), proxy.close()]));
    assert.equal((await service.list(secret)).status, 200);

    proxy.stall('both');
    const several = () => Promise.all([1, 2, 3].map(() => service.list(secret)));
    await assertUnavailable(several); // the open connection
    await assertUnavailable(several); // a new connection, whose handshake gets no answer

    proxy.resume();
    const answers = await Promise.all([1, 2, 3].map(() => service.listWithRetry(secret)));
    for (const { status } of answers) assert.equal(status, 200);
  });

  test('does not keep the service from closing', async t => {
    const { proxy, service, reader } = await serviceThroughProxy();
    t.after(() => proxy.close());
    assert.equal((await service.list(secret)).status, 200);
    proxy.stall('both');
    await Promise.all([service.close(), reader.close()]);
  });

  async function serviceThroughProxy(): Promise<{
    proxy: StallingProxy;
    service: TestService;
    reader: StoreReader;
  }> {
    const url = new URL(store.url);
    const proxy = await startStallingProxy(Number(url.port));
    url.port = String(proxy.port);
    const reader = await storeAt(url.href).openReader();
    return { proxy, service: await startService(reader), reader };
  }
});

async function assertUnavailable(list: () => Promise<{ status: number; headers: Headers }[]>): Promise<void> {
  for (const { status, headers } of await list()) {
    assert.equal(status, 503);
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
}
