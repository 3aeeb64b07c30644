import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type ApiKeyPage, KeyrosterClient } from '../../src/client/client.ts';
import { createKeyroster } from '../../src/service/library/library.ts';
import { formatTimestamp, type Timestamp } from '../../src/shared/record/timestamp.ts';
import { startStubService } from '../support/answering-service.ts';
import { record } from '../support/import-file.ts';
import { suiteScope } from '../support/scope.ts';
import {
  collect,
  idsOf,
  numberedKeys,
  type SeededService,
  startSeededService,
} from '../support/seeded-service.ts';

describe('the client', () => {
  test('refuses null as a parameter, which as text would be another value', async () => {
    const { apiKeys } = listed.client();
    for (const name of ['workspace_id', 'created_by_user_id', 'after_id'])
      await assert.rejects(async () => apiKeys.list({ [name]: null } as never), {
        name: 'TypeError',
        message: `${name}: must not be null: leave it out`,
      });
  });

  const scope = suiteScope();
  const keys = numberedKeys(57);
  let listed: SeededService;
  before(async () => {
    listed = await startSeededService(scope, keys);
  });

  test('returns a page with the names of the API, its request ID and its organization', async () => {
    const page = await listed.client().apiKeys.list({ limit: 5 });
    assert.deepEqual(idsOf(page.data), listed.ids.slice(0, 5));
    assert.deepEqual([page.first_id, page.last_id, page.has_more], ['k0', 'k4', true]);
    assert.match(String(page.requestId), /^req_/);
    assert.deepEqual([page.organizationId, page.scope], [listed.organization, null]);
    assert.equal(page.data[0]?.created_by.type, 'user');
  });

  test("tells what its caller may see, where that isn't the whole organization", async () => {
    const keyroster = await createKeyroster({
      roster: { listApiKeys: async () => ({ items: [], hasMore: false }) },
      authenticate: () => ({ organizationId: 'org_1', callerId: 'ann', only: { workspaceId: 'wrkspc_1' } }),
      log: { write: () => {} },
    });
    const fetch = async (url: string | URL | Request, init?: RequestInit) =>
      keyroster.fetch(new Request(url, init));
    const page = await listed.client({ fetch }).apiKeys.list();
    assert.deepEqual([page.organizationId, page.scope], ['org_1', 'workspace_id=wrkspc_1']);
  });

  test('moves from page to page in both directions, and returns null after the last', async () => {
    const { apiKeys } = listed.client();
    const query = { limit: 25, status: 'active' } as const;
    const first = await apiKeys.list(query);
    const second = await first.nextPage();
    const back = await second?.previousPage();
    assert.deepEqual(back?.data, first.data);
    assert.equal(await second?.nextPage(), null);
    assert.equal(await first.previousPage(), null);
    assert.equal(await back?.previousPage(), null);
    assert.deepEqual((await back?.nextPage())?.data, second?.data);
  });

  test('iterates over all records, from the newest or a given key, and backwards from before_id', async () => {
    const { apiKeys } = listed.client();
    for (const limit of [1, 7, 19, 56, 57, 1000]) {
      assert.deepEqual(idsOf(await collect(apiKeys.list({ limit }))), listed.ids, `limit ${limit}`);
      const back = idsOf(await collect(apiKeys.list({ limit, before_id: 'k56' })));
      assert.deepEqual(back, listed.ids.slice(0, 56).reverse(), `limit ${limit}`);
    }
    assert.deepEqual(idsOf(await collect(apiKeys.list({ limit: 4, after_id: 'k40' }))), listed.ids.slice(41));
  });

  test('applies the filters and the times to every page, in both directions', async () => {
    const { apiKeys } = listed.client();
    const filter = { status: 'active', workspace_id: 'wrkspc_1', created_by_user_id: 'user_1' } as const;
    const matching = idsOf(keys.filter(key => key.status === 'active' && key.workspaceId === 'wrkspc_1'));
    const timeOf = (number: number) => formatTimestamp(keys[number]?.createdAt as Timestamp);
    const range = { created_from: timeOf(40), created_before: timeOf(10) };
    for (const [query, expected] of [
      [filter, matching],
      [range, listed.ids.slice(11, 41)],
    ] as const) {
      assert.deepEqual(idsOf(await collect(apiKeys.list({ ...query, limit: 2 }))), expected);
      const back = await collect(apiKeys.list({ ...query, limit: 2, before_id: 'k56' }));
      assert.deepEqual(idsOf(back), expected.toReversed());
    }
  });

  test('iterates over pages, each with its newest record first', async () => {
    const { apiKeys } = listed.client();
    const endsOf = (pages: readonly ApiKeyPage[]) => pages.map(page => [page.first_id, page.last_id]);
    const [newest, second, oldest] = [
      ['k0', 'k19'],
      ['k20', 'k39'],
      ['k40', 'k56'],
    ];
    assert.deepEqual(endsOf(await collect(apiKeys.pages({ limit: 20 }))), [newest, second, oldest]);
    const back = await collect(apiKeys.pages({ limit: 20, before_id: 'k40' }));
    assert.deepEqual(endsOf(back), [second, newest]);
  });

  test('returns one empty page when no key matches', async () => {
    const { apiKeys } = listed.client();
    const query = { workspace_id: 'wrkspc_none' };
    assert.deepEqual(await collect(apiKeys.list(query)), []);
    const [page, ...more] = await collect(apiKeys.pages(query));
    assert.deepEqual([page?.data, page?.first_id, page?.has_more, more.length], [[], null, false, 0]);
    assert.equal(await page?.nextPage(), null);
    assert.equal(await page?.previousPage(), null);
  });

  test('sends no request before it is awaited or iterated, and one however often it is awaited', async () => {
    let requests = 0;
    const counting: typeof fetch = (input, init) => {
      requests += 1;
      return fetch(input, init);
    };
    const { apiKeys } = listed.client({ fetch: counting });
    const listing = apiKeys.list({ limit: 5 });
    const pages = apiKeys.pages({ limit: 5 });
    assert.equal(requests, 0);
    assert.equal(await listing, await listing.finally(() => {}));
    assert.equal(requests, 1);
    for await (const _ of pages) break;
    assert.equal(requests, 2);
  });

  test('accepts a base URL with a path, and sends the version in the header of the vendor', async () => {
    const sent: { url: string; headers: Headers }[] = [];
    const recording: typeof fetch = async (input, init) => {
      sent.push({ url: String(input), headers: new Headers(init?.headers) });
      return Response.json({ data: [], first_id: null, last_id: null, has_more: false });
    };
    const { apiKeys } = listed.client({
      baseUrl: 'https://api.example.com/keys/',
      vendor: 'acme',
      fetch: recording,
    });
    await apiKeys.list({ limit: 5, status: 'active', after_id: 'k', workspace_id: undefined });
    const url = 'https://api.example.com/keys/v1/organizations/api_keys?limit=5&status=active&after_id=k';
    assert.equal(sent[0]?.url, url);
    assert.equal(sent[0]?.headers.get('acme-version'), '2023-06-01');
    assert.equal(sent[0]?.headers.get('x-api-key'), listed.secret);
  });
});

/** What a later version of the API could add: fields, and values of the fields that there are. */
const newer = {
  status: 'suspended',
  created_by: { id: 'robot_1', type: 'robot', model: 7 },
  expires_at: null,
  scopes: ['read', { nested: true }],
};

test('unknown fields and values of a newer service are kept, record by record and page by page', async t => {
  const records = [record('k5', newer), record('k4'), record('k3', newer), record('k2'), record('k1', newer)];
  const { apiKeys } = new KeyrosterClient({ baseUrl: await startStubService(t, records), adminKey: 'x' });
  assert.deepEqual(await collect(apiKeys.list({ limit: 2 })), records);
  const pages = await collect(apiKeys.pages({ limit: 2 }));
  assert.deepEqual(
    pages.flatMap(({ data }) => data),
    records,
  );
});
