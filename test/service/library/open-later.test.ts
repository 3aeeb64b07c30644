import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { lazyReader } from '../../../src/service/lazy-reader.ts';
import { createKeyroster } from '../../../src/service/library/library.ts';
import { routeHandlers } from '../../../src/service/library/next.ts';
import type { StoreReader } from '../../../src/service/roster/pages/reader.ts';
import { organizationIn, VENDOR } from '../../support/roster.ts';
import { atEndOf, temporaryFolder } from '../../support/scope.ts';
import { storeAt } from '../../support/store-at.ts';
import { createDatabase } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

const URL_OF_LIST = `https://api.example.com${LIST_API_KEYS_PATH}`;
const requestWith = (secret: string) =>
  new Request(URL_OF_LIST, { headers: { 'x-api-key': secret, [`${VENDOR}-version`]: '2023-06-01' } });

/** A store that isn't there yet, and what makes it. */
const places = {
  SQLite: async (t: TestContext) => `sqlite:${join(temporaryFolder(t), 'keyroster.db')}`,
  PostgreSQL: async (t: TestContext) => {
    const { url, remove } = await createDatabase();
    atEndOf(t, remove);
    return url;
  },
};

async function makeStore(url: string): Promise<string> {
  const store = storeAt(url);
  await store.migrate();
  const { secret } = await organizationIn(store);
  return secret;
}

for (const [kind, place] of Object.entries(places))
  test(`with openLater answers are 503 until the store is there, and then pages, over ${kind}`, async t => {
    const lines: string[] = [];
    const database = await place(t);
    const log = { write: (line: string) => void lines.push(line) };
    const keyroster = await createKeyroster({ database, openLater: true, log });
    atEndOf(t, () => keyroster.close());
    const ready = async () => (await keyroster.fetch(new Request('https://api.example.com/readyz'))).status;
    const without = await keyroster.fetch(requestWith(`sk-${VENDOR}-x`));
    assert.equal(without.status, 401, 'what is no admin key is refused without a store');
    assert.equal(await ready(), 503);
    assert.match(lines.join(''), /the store can't be opened: /);
    const secret = await makeStore(database);
    await until(
      'a page is answered',
      async () => (await keyroster.fetch(requestWith(secret))).status === 200,
    );
    assert.equal(await ready(), 200);
  });

test('an opening that stalls is given up after 10 s, and its store is closed when it comes', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const openings: PromiseWithResolvers<StoreReader>[] = [];
  const closed: number[] = [];
  const finish = (number: number) =>
    openings[number]?.resolve({
      listFields: async () => [],
      close: async () => void closed.push(number),
    } as unknown as StoreReader);
  const reader = lazyReader(() => {
    openings.push(Promise.withResolvers());
    return (openings.at(-1) as PromiseWithResolvers<StoreReader>).promise;
  });
  const refused = Promise.all(
    [1, 2].map(() => assert.rejects(reader.listFields(), { name: 'StoreUnavailable', message: /10000 ms/ })),
  );
  await new Promise(setImmediate);
  t.mock.timers.tick(10_000);
  await refused;
  t.mock.timers.tick(999);
  await assert.rejects(reader.listFields());
  assert.equal(openings.length, 1, 'it is not tried again by each request');
  t.mock.timers.tick(1);
  const answer = reader.listFields();
  finish(0);
  finish(1);
  assert.deepEqual(await answer, []);
  assert.deepEqual(closed, [0]);
  await reader.close();
  assert.deepEqual(closed, [0, 1]);
});

test('close() waits for no opening, whose store is closed when it comes', async () => {
  const opening = Promise.withResolvers<StoreReader>();
  const reader = lazyReader(() => opening.promise);
  const refused = assert.rejects(reader.listFields(), { name: 'StoreUnavailable' });
  await reader.close();
  const closed = new Promise<void>(resolve =>
    opening.resolve({ close: async () => resolve() } as unknown as StoreReader),
  );
  await Promise.all([closed, refused]);
});

test('the handlers of a Next route ask for their options at the first request, and again after they were wrong', async t => {
  const database = await places.SQLite(t);
  const secret = await makeStore(database);
  let given: string | undefined;
  const { GET, POST } = routeHandlers(() => ({ database: given }));
  await assert.rejects(GET(requestWith(secret)), /^TypeError: database, roster: give one of them/);
  given = database;
  const page = await GET(requestWith(secret));
  assert.equal(page.status, 200);
  assert.equal((await POST(new Request(URL_OF_LIST, { method: 'POST' }))).status, 405);
});
