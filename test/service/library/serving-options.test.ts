import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { Registry } from 'prom-client';
import { buildConsole } from '../../../scripts/build-console.ts';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import {
  type ApiKeyRecord,
  createKeyroster,
  type KeyrosterOptions,
  type PageItem,
  pageItem,
  type RosterReader,
} from '../../../src/service/library/library.ts';
import { retryOverloaded } from '../../support/retry-overloaded.ts';
import { atEndOf } from '../../support/scope.ts';

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
  test('answers what is wrong with the errors of the API', async t => {
    const { get } = await keyrosterWith(t);
    const wrong: [path: string, init: RequestInit, status: number, message: RegExp][] = [
      [LIST_API_KEYS_PATH, { method: 'POST', body: '{}' }, 405, /^method: must be GET or HEAD/],
      [`${LIST_API_KEYS_PATH}?limit=0`, {}, 400, /^limit: must be/],
      [`${LIST_API_KEYS_PATH}?x=${'x'.repeat(9_000)}`, {}, 414, /^URL: must be at most 8192 characters/],
      [`${LIST_API_KEYS_PATH}#?status=active`, {}, 400, /^URL: must not have a fragment/],
      ['/v1/%zz', {}, 400, /^path: malformed percent-encoding/],
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
    assert.match(
      await (await get(path)).text(),
      /API keys are listed at \/api\/keys\/v1\/organizations/,
      path,
    );
  const document = (await (await get('/api/keys/openapi.json')).json()) as { servers: unknown };
  assert.deepEqual(document.servers, [{ url: '/api/keys' }]);
});

test('the console is served when it is asked for', async t => {
  await buildConsole();
  const { get } = await keyrosterWith(t, { console: true });
  assert.match(await (await get('/console/')).text(), /<title>/);
  const without = await keyrosterWith(t);
  assert.equal((await without.get('/console/')).status, 404);
});

const record = (id: string): ApiKeyRecord => ({
  id,
  type: 'api_key',
  name: id,
  created_at: '2026-01-01T00:00:00Z',
  created_by: { id: 'user_1', type: 'user' },
  partial_key_hint: 'sk-...abcd',
  status: 'active',
  workspace_id: null,
});
const [first, second] = [pageItem(record('key_2')), pageItem(record('key_1'))];

describe('a page of a roster that breaks its rule', () => {
  const wrong: Record<string, [page: unknown, query?: string]> = {
    nothing: [undefined],
    'no items': [{ hasMore: false }],
    'a record instead of an item': [{ items: [record('key_2')], hasMore: false }],
    'an item that pageItem has not made': [{ items: [{ ...first }], hasMore: false }],
    'an array with holes': [{ items: Object.assign(new Array(2), { 1: first }), hasMore: false }],
    'more items than the limit': [{ items: [first, second], hasMore: false }, 'limit=1'],
    'fewer items than the limit, and more to come': [{ items: [first], hasMore: true }],
    'a key twice': [{ items: [first, first], hasMore: false }],
    'the older key first': [{ items: [second, first], hasMore: false }],
    'its cursor': [{ items: [first], hasMore: false }, 'after_id=key_2'],
    'no hasMore': [{ items: [] }],
    'an unknown cursor where there is none': [null],
    'the answer of the API': [{ data: [], has_more: false }],
  };
  test('is a 500, and the log says so', async t => {
    for (const [what, [page, query = 'limit=5']] of Object.entries(wrong)) {
      const lines: string[] = [];
      const roster = { listApiKeys: async () => page as never };
      const { get } = await keyrosterWith(t, { roster, log: { write: line => lines.push(line) } });
      assert.equal((await get(`${LIST_API_KEYS_PATH}?${query}`)).status, 500, what);
      assert.match(JSON.parse(lines[0] ?? '').err.message, /^roster: listApiKeys must return/);
    }
  });
});

describe('the code of a roster', () => {
  test('may use its page object again, and change the query: it gets copies', async t => {
    const page: { items: PageItem[]; hasMore: boolean } = { items: [], hasMore: false };
    const roster: RosterReader = {
      async listApiKeys(organization, query) {
        Object.assign(query, { limit: query.limit + 1 });
        page.items = [organization === 'org_1' ? first : second];
        return page;
      },
    };
    const authenticate: Own['authenticate'] = ({ headers }) => ({
      organizationId: headers.get('authorization') ?? '',
      callerId: 'ann',
    });
    const { get } = await keyrosterWith(t, { roster, authenticate });
    for (const [organization, id] of Object.entries({ org_1: 'key_2', org_2: 'key_1', org_3: 'key_1' })) {
      const init = { headers: { ...headers, authorization: organization } };
      const { body } = await retryOverloaded(async () => {
        const answer = await get(`${LIST_API_KEYS_PATH}?limit=1000`, init);
        return { status: answer.status, body: await answer.json() };
      });
      assert.equal((body as { first_id: string }).first_id, id);
    }
  });

  test('that never answers is given up after 10 s, as authenticate is, and others are served', async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let answers = false;
    const never = new Promise<never>(() => {});
    const lines: string[] = [];
    const log = { write: (line: string) => lines.push(line) };
    const roster = { listApiKeys: async () => (answers ? { items: [], hasMore: false } : never) };
    const { get } = await keyrosterWith(t, { roster, log });
    const hanging = Array.from({ length: 4 }, () => get(`${LIST_API_KEYS_PATH}?limit=1000`));
    const slow = await keyrosterWith(t, { authenticate: () => never, log });
    hanging.push(slow.get(LIST_API_KEYS_PATH));
    await new Promise(setImmediate);
    t.mock.timers.tick(10_000);
    for (const answer of await Promise.all(hanging)) assert.equal(answer.status, 503);
    // Of one reason there is a line a second.
    assert.equal(lines.filter(line => /took more than 10000 ms|ETIMEDOUT/.test(line)).length, 2);
    answers = true;
    assert.equal((await get(LIST_API_KEYS_PATH)).status, 200);
  });
});

test('a method that Node does not know is no label of a metric and not logged', async t => {
  const metrics = new Registry();
  const lines: string[] = [];
  const { get } = await keyrosterWith(t, { metrics, log: { write: line => lines.push(line) } });
  for (const method of ['SECRET', 'x'.repeat(2_000), 'propfind'])
    assert.equal((await get(LIST_API_KEYS_PATH, { method })).status, 405);
  assert.match(await metrics.metrics(), /_count\{method="other",route="",status="405"\} 3$/m);
  assert(!/SECRET|xxx/.test(lines.join('')));
});

test('a registry gets the metrics of one Keyroster, which it loses on close or where the store is not opened', async t => {
  const metrics = new Registry();
  const { close } = await keyrosterWith(t, { metrics });
  // Not opened either: it isn't there.
  const database = `sqlite:${join(tmpdir(), 'not', 'there.db')}`;
  await assert.rejects(createKeyroster({ database, metrics }), /^TypeError: metrics: another Keyroster/);
  await close();
  assert.equal(await metrics.metrics(), '\n');
  await assert.rejects(createKeyroster({ database, metrics }), { name: 'Refused' });
  assert.equal(await metrics.metrics(), '\n');
  await keyrosterWith(t, { metrics });
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
