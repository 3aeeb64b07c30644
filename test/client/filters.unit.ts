import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KeyrosterClient, KeyrosterError, type ListParameters } from '../../src/client/client.ts';
import { record } from '../support/import-file.ts';
import { collect, idsOf } from '../support/seeded-service.ts';

type Parts = Readonly<Record<string, unknown>>;
type Answer = (query: URLSearchParams) => Response;

function clientOf(answer: Answer) {
  const sent: string[] = [];
  const fetch = async (url: string | URL | Request) => {
    const { search, searchParams } = new URL(String(url));
    sent.push(search);
    return answer(searchParams);
  };
  return { sent, ...new KeyrosterClient({ baseUrl: 'http://127.0.0.1', adminKey: 'x', retries: 0, fetch }) };
}

const pageOf = (...data: object[]) => Response.json({ data, has_more: false });
const refusal = (body: object, status = 400) => Response.json(body, { status });

describe('each filter is checked again on each record:', () => {
  const at = (created_at: unknown) => ({ created_at });
  const [FROM, LATER] = ['2025-03-01T00:00:00.000001Z', '2025-03-01T01:00:00.000001+01:00'];
  const cases: Readonly<Record<string, [filter: ListParameters, pass: Parts, fail: Parts, untold: Parts]>> = {
    status: [{ status: 'active' }, {}, { status: 'archived' }, { status: null }],
    'a status that the filter does not have': [
      { status: 'active' },
      { status: 'expired' },
      { status: 'inactive' },
      { status: 'suspended' },
    ],
    workspace: [
      { workspace_id: 'w' },
      { workspace_id: 'w' },
      { workspace_id: null },
      { workspace_id: undefined },
    ],
    'workspace as its scope': [
      { workspace_id: 'w' },
      { workspace_id: undefined, scope: { type: 'workspace', workspace_id: 'w' } },
      { workspace_id: undefined, scope: { type: 'organization' } },
      { workspace_id: undefined, scope: null },
    ],
    creator: [
      { created_by_user_id: 'u' },
      { created_by: { id: 'u' } },
      { created_by: { id: 'v' } },
      { created_by: null },
    ],
    'first time': [{ created_from: FROM }, at(LATER), at('2025-03-01T00:00:00Z'), at('2025-03-01')],
    'last time': [{ created_before: FROM }, at('2025-03-01t00:00:00z'), at(LATER), at(undefined)],
  };
  for (const [name, [filter, pass, fail, untold]] of Object.entries(cases))
    test(name, async () => {
      const [parameter] = Object.keys(filter);
      const page = await clientOf(() => pageOf(record('p', pass), record('f', fail))).apiKeys.list(filter);
      assert.deepEqual([idsOf(page.data), page.appliedHere, page.untold], [['p'], [parameter], []]);
      const open = await clientOf(() => pageOf(record('p', pass), record('u', untold))).apiKeys.list(filter);
      assert.deepEqual([idsOf(open.data), open.appliedHere, open.untold], [['p', 'u'], [], [parameter]]);
    });

  test('a record that surely fails one is none that can not be told', async () => {
    const both = record('k', { status: null, workspace_id: 'other' });
    const page = await clientOf(() => pageOf(both)).apiKeys.list({ status: 'active', workspace_id: 'w' });
    assert.deepEqual([page.data, page.appliedHere, page.untold], [[], ['workspace_id'], []]);
  });
});

describe('a filter that the service refuses', () => {
  const [mine, other] = [record('k2', { workspace_id: 'w' }), record('k1', { workspace_id: 'v' })];
  const filter = { workspace_id: 'w', status: 'active' } as const;
  const forms: readonly object[] = [
    { error: { type: 'invalid_request_error', message: 'workspace_id: unknown parameter' } },
    { message: 'the parameter workspace_id is not there' },
    { detail: [{ loc: ['query', 'workspace_id'], msg: 'workspace_id: Extra inputs are not permitted' }] },
    { error: 'no filters here' },
    {},
  ];
  for (const body of forms)
    test(`is applied by the client, for the whole walk: ${JSON.stringify(body)}`, async () => {
      const { apiKeys, sent } = clientOf(query => {
        if (query.has('workspace_id')) return refusal(body, body === forms[2] ? 422 : 400);
        const data = query.has('after_id') ? [mine] : [other];
        return Response.json({ data, has_more: !query.has('after_id') });
      });
      const pages = await collect(apiKeys.pages(filter));
      assert.deepEqual(
        pages.map(({ data }) => idsOf(data)),
        [[], ['k2']],
      );
      const isNamed = JSON.stringify(body).includes('workspace_id');
      const here = isNamed ? ['workspace_id'] : ['status', 'workspace_id'];
      for (const page of pages) assert.deepEqual(page.appliedHere, here);
      const status = isNamed ? '?status=active' : '';
      assert.deepEqual(sent, [
        '?workspace_id=w&status=active',
        status,
        `${status ? `${status}&` : '?'}after_id=k1`,
      ]);
    });

  test('is not left out where the fault is another one, and the error has all parameters to go on with', async () => {
    const faults: readonly [body: object, requests: number][] = [
      [{ error: { type: 'invalid_request_error', message: 'workspace_id: must be an ID' } }, 1],
      [{ error: { type: 'invalid_request_error', message: 'vendor-version: not supported' } }, 1],
      [{ message: 'the cursor is gone' }, 2],
    ];
    for (const [body, requests] of faults) {
      const { apiKeys, sent } = clientOf(() => refusal(body));
      await assert.rejects(
        async () => apiKeys.list(filter),
        (error: KeyrosterError) =>
          error instanceof KeyrosterError && error.status === 400 && error.resume?.workspace_id === 'w',
      );
      assert.equal(sent.length, requests);
    }
  });
});
