import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { Registry } from 'prom-client';
import { buildConsole } from '../../scripts/build-console.ts';
import { LIST_API_KEYS_PATH } from '../../src/api/paths.ts';
import { createKeyroster, type KeyrosterOptions, type RosterReader } from '../../src/library.ts';
import { atEndOf } from '../support/scope.ts';

type Own = Extract<KeyrosterOptions, { roster: RosterReader }>;
const CALLER = { organizationId: 'org_1', callerId: 'ann' };
const ORIGIN = 'https://api.example.com';
const headers = { 'vendor-version': '2023-06-01' };

async function keyrosterWith(t: TestContext, options: Partial<Own> = {}) {
  const roster = { listApiKeys: async () => ({ items: [], hasMore: false }) };
  const keyroster = await createKeyroster({ roster, authenticate: () => CALLER, ...options });
  atEndOf(t, () => keyroster.close());
  const get = (path: string, init: RequestInit = {}, context?: object) =>
    keyroster.fetch(new Request(ORIGIN + path, { headers, ...init }), context);
  return { ...keyroster, get };
}

describe('fetch', () => {
  test('answers HEAD as GET, without a body', async t => {
    const { get } = await keyrosterWith(t);
    const [page, head] = [await get(LIST_API_KEYS_PATH), await get(LIST_API_KEYS_PATH, { method: 'HEAD' })];
    const text = await page.text();
    assert.equal(text, '{"data":[],"first_id":null,"last_id":null,"has_more":false}');
    assert.equal(await head.text(), '');
    assert.equal(head.headers.get('content-length'), String(text.length));
    assert.deepEqual([...head.headers.keys()], [...page.headers.keys()]);
  });

  test('answers what is wrong with the errors of the API', async t => {
    const { get } = await keyrosterWith(t);
    const wrong: [path: string, init: RequestInit, status: number, message: RegExp][] = [
      ['/v1/other', {}, 404, /^path: not found/],
      [LIST_API_KEYS_PATH, { method: 'POST', body: '{}' }, 405, /^method: must be GET or HEAD/],
      [`${LIST_API_KEYS_PATH}?limit=0`, {}, 400, /^limit: must be/],
      [`${LIST_API_KEYS_PATH}?limit=1&limit=2`, {}, 400, /^limit: given more than once/],
      [`${LIST_API_KEYS_PATH}?x=${'x'.repeat(9_000)}`, {}, 414, /^URL: must be at most 8192 characters/],
      [`${LIST_API_KEYS_PATH}#?status=active`, {}, 400, /^URL: must not have a fragment/],
      ['/v1/%zz', {}, 400, /^path: malformed percent-encoding/],
      [LIST_API_KEYS_PATH, { headers: {} }, 400, /^vendor-version: header is required/],
    ];
    for (const [path, init, status, message] of wrong) {
      const answer = await get(path, init);
      const body = (await answer.json()) as { error: { message: string }; request_id: string };
      assert.equal(answer.status, status, path);
      assert.match(body.error.message, message);
      assert.equal(answer.headers.get('request-id'), body.request_id);
      assert.equal(answer.headers.get('content-type'), 'application/json');
      assert.equal(answer.headers.get('allow'), status === 405 ? 'GET, HEAD' : null);
    }
  });

  test('takes the client address from its second argument, and ignores whatever else is there', async t => {
    const seen: (string | undefined)[] = [];
    const authenticate: Own['authenticate'] = ({ clientAddress }) => {
      seen.push(clientAddress);
      return CALLER;
    };
    const { get } = await keyrosterWith(t, { authenticate });
    for (const context of [
      { clientAddress: '192.0.2.7' },
      {},
      { params: {} },
      { clientAddress: 7 },
      undefined,
    ])
      await get(LIST_API_KEYS_PATH, {}, context);
    assert.deepEqual(seen, ['192.0.2.7', undefined, undefined, undefined, undefined]);
  });
});

test('a base path comes before every path, and nothing else is found', async t => {
  const { get } = await keyrosterWith(t, { basePath: '/api/keys' });
  assert.equal((await get(`/api/keys${LIST_API_KEYS_PATH}`)).status, 200);
  assert.equal((await get('/api/keys/healthz')).status, 200);
  for (const path of [
    LIST_API_KEYS_PATH,
    `/api/keys2${LIST_API_KEYS_PATH}`,
    '/api/keys',
    `/x/api/keys${LIST_API_KEYS_PATH}`,
  ])
    assert.equal((await get(path)).status, 404, path);
});

test('the metrics are in the registry that was given, beside those of its owner', async t => {
  const metrics = new Registry();
  const { get } = await keyrosterWith(t, { metrics });
  await get(LIST_API_KEYS_PATH);
  const text = await metrics.metrics();
  assert.match(
    text,
    /^keyroster_http_request_duration_seconds_count\{method="GET",route="[^"]+",status="200"\} 1$/m,
  );
  assert.match(text, /^keyroster_store_read_duration_seconds_count\{read="list_api_keys"\} 1$/m);
});

test('the console is served when it is asked for', async t => {
  await buildConsole();
  const { get } = await keyrosterWith(t, { console: true });
  assert.match(await (await get('/console/')).text(), /<title>/);
  const without = await keyrosterWith(t);
  assert.equal((await without.get('/console/')).status, 404);
});

test('the log has no line below its level', async t => {
  const lines: string[] = [];
  const { get } = await keyrosterWith(t, { log: { write: line => lines.push(line) }, logLevel: 'warn' });
  await get(LIST_API_KEYS_PATH);
  assert.deepEqual(lines, []);
});

test('a log that throws loses its lines, and every request is answered', async t => {
  const write = () => {
    throw new Error('the disk is full');
  };
  const { get } = await keyrosterWith(t, { log: { write } });
  assert.equal((await get(LIST_API_KEYS_PATH)).status, 200);
  const failing = await keyrosterWith(t, {
    log: { write },
    authenticate: () => Promise.reject(new Error('x')),
  });
  assert.equal((await failing.get(LIST_API_KEYS_PATH)).status, 503);
});

describe('a page of a roster that breaks its rule', () => {
  const item = { id: 'key_1', record: '{}' };
  const wrong = {
    nothing: undefined,
    'no items': { hasMore: false },
    'a record instead of an item': { items: [{ id: 'key_1', name: 'x' }], hasMore: false },
    'more items than the limit': { items: [item, item], hasMore: false },
    'no hasMore': { items: [] },
    'the answer of the API': { data: [], has_more: false },
  };
  for (const [what, page] of Object.entries(wrong)) {
    test(`is a 500, and the log says so: ${what}`, async t => {
      const lines: string[] = [];
      const roster = { listApiKeys: async () => page as never };
      const { get } = await keyrosterWith(t, { roster, log: { write: line => lines.push(line) } });
      assert.equal((await get(`${LIST_API_KEYS_PATH}?limit=1`)).status, 500);
      assert.match(JSON.parse(lines[0] ?? '').err.message, /^roster: listApiKeys must return/);
    });
  }
});

test('close waits for the answers under way, and readiness fails from then on', async t => {
  const gate = Promise.withResolvers<void>();
  const { get, close } = await keyrosterWith(t, {
    roster: {
      listApiKeys: async () => {
        await gate.promise;
        return { items: [], hasMore: false };
      },
    },
  });
  const answer = get(LIST_API_KEYS_PATH);
  await get('/healthz');
  let closed = false;
  const closing = close().then(() => {
    closed = true;
  });
  assert.equal((await get('/readyz')).status, 503);
  assert.equal(closed, false);
  gate.resolve();
  assert.equal((await answer).status, 200);
  await closing;
});
