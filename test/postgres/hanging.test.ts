import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RosterReader } from '../../src/roster/roster.ts';
import { createOrganization } from '../support/roster.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Stalled, type StallingProxy, startStallingProxy } from '../support/stalling-proxy.ts';
import { storeAt } from '../support/store-at.ts';
import { postgres, type TestStore } from '../support/stores.ts';

/** The time limits of src/postgres/connection.ts, and what a busy machine may take more. */
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
    test(`is given up in time and replaced once PostgreSQL is reached again; stalled: ${what}`, async t => {
      const { proxy, service, reader } = await serviceThroughProxy();
      t.after(() => Promise.all([service.close(), reader.close(), proxy.close()]));
      assert.equal((await service.list(secret)).status, 200);

      proxy.stall(what);
      const several = () => Promise.all([1, 2, 3].map(() => service.list(secret)));
      await assertUnavailable(several, ANSWER_TIMEOUT_MS); // the connection that there was
      await assertUnavailable(several, CONNECT_TIMEOUT_MS); // a new one: its start-up isn't answered

      proxy.resume();
      for (const answer of await several()) assert.equal(answer.status, 200);
    });
  }

  test('does not keep the service from ending', async t => {
    const { proxy, service, reader } = await serviceThroughProxy();
    t.after(() => proxy.close());
    assert.equal((await service.list(secret)).status, 200);
    proxy.stall('both');
    const closing = Promise.all([service.close(), reader.close()]).then(() => 'closed');
    assert.equal(await Promise.race([closing, afterTime(ANSWER_TIMEOUT_MS + MARGIN_MS)]), 'closed');
  });

  async function serviceThroughProxy(): Promise<{
    proxy: StallingProxy;
    service: TestService;
    reader: RosterReader;
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

function afterTime(milliseconds: number): Promise<string> {
  return new Promise(resolve => setTimeout(() => resolve('the time is over'), milliseconds).unref());
}
