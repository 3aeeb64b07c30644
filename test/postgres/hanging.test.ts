import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StoreReader } from '../../src/roster/roster.ts';
import { createOrganization } from '../support/roster.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Stalled, type StallingProxy, startStallingProxy } from '../support/stalling-proxy.ts';
import { storeAt } from '../support/store-at.ts';
import { postgres, type TestStore } from '../support/stores.ts';

/** The timeouts of the connection, and a margin for a busy machine. */
const ANSWER_TIMEOUT_MS = 6_000;
const CONNECT_TIMEOUT_MS = 3_000;
const MARGIN_MS = 2_000;

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

  for (const what of ['both', 'requests', 'answers'] satisfies Stalled[]) {
    test(`times out, and is replaced once PostgreSQL can be reached again; stalled: ${what}`, async t => {
      const { proxy, service, reader } = await serviceThroughProxy();
      t.after(() => Promise.all([service.close(), reader.close(), proxy.close()]));
      assert.equal((await service.list(secret)).status, 200);

      proxy.stall(what);
      const several = () => Promise.all([1, 2, 3].map(() => service.list(secret)));
      await assertUnavailable(several, ANSWER_TIMEOUT_MS); // the open connection
      await assertUnavailable(several, CONNECT_TIMEOUT_MS); // a new connection, whose handshake gets no answer

      proxy.resume();
      const answers = await Promise.all([1, 2, 3].map(() => service.listWithRetry(secret)));
      for (const { status } of answers) assert.equal(status, 200);
    });
  }

  test('does not keep the service from closing', async t => {
    const { proxy, service, reader } = await serviceThroughProxy();
    t.after(() => proxy.close());
    assert.equal((await service.list(secret)).status, 200);
    proxy.stall('both');
    const closing = Promise.all([service.close(), reader.close()]).then(() => 'closed');
    assert.equal(await Promise.race([closing, timeout(ANSWER_TIMEOUT_MS + MARGIN_MS)]), 'closed');
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

async function assertUnavailable(
  list: () => Promise<{ status: number; headers: Headers }[]>,
  limit: number,
): Promise<void> {
  const start = performance.now();
  for (const { status, headers } of await list()) {
    assert.equal(status, 503);
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  const took = performance.now() - start;
  assert.ok(took < limit + MARGIN_MS, `answered after ${Math.round(took)} ms`);
}

function timeout(milliseconds: number): Promise<string> {
  return new Promise(resolve => setTimeout(() => resolve('timed out'), milliseconds).unref());
}
