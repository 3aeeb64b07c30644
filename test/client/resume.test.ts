import assert from 'node:assert/strict';
import { before, describe, mock, test } from 'node:test';
import type { ListParameters } from '../../src/client/client.ts';
import { errorOf } from '../support/error-of.ts';
import { type FaultInjectingProxy, startFaultInjectingProxy } from '../support/fault-injecting-proxy.ts';
import { suiteScope } from '../support/scope.ts';
import { numberedKeys, type SeededService, startSeededService } from '../support/seeded-service.ts';

const KEYS = 24;

const walks: Record<string, ListParameters> = {
  'from the newest key': { limit: 5 },
  'from a key on': { limit: 5, after_id: 'k3' },
  'back to the newest key': { limit: 5, before_id: 'k23' },
  'over some keys': { limit: 3, status: 'active', created_by_user_id: 'user_1' },
  'back over some keys': { limit: 2, workspace_id: 'wrkspc_1', status: 'active', before_id: 'k22' },
};

describe('a walk that fails tells how to go on', () => {
  const scope = suiteScope();
  let listed: SeededService;
  let proxy: FaultInjectingProxy;
  before(async () => {
    mock.method(Math, 'random', () => 0); // a retry doesn't wait
    listed = await startSeededService(scope, numberedKeys(KEYS));
    proxy = await startFaultInjectingProxy(scope, listed.service.url);
  });

  const apiKeys = () => listed.client({ baseUrl: proxy.url, retries: 0 }).apiKeys;

  async function walkRecords(parameters: ListParameters, seen: string[]): Promise<void> {
    for await (const { id } of apiKeys().list(parameters)) seen.push(id);
  }

  async function walkPages(parameters: ListParameters, seen: string[]): Promise<void> {
    const backward = parameters.before_id !== undefined;
    for await (const { data } of apiKeys().pages(parameters)) {
      const ids = data.map(({ id }) => id);
      seen.push(...(backward ? ids.reverse() : ids));
    }
  }

  for (const walk of [walkRecords, walkPages]) {
    for (const [where, parameters] of Object.entries(walks)) {
      test(`and gives every key once then: ${walk.name}, ${where}, whichever page fails`, async () => {
        const whole: string[] = [];
        proxy.inject([]);
        await walk(parameters, whole);
        const requests = proxy.requests();
        assert(requests > 1 && whole.length > Number(parameters.limit));
        for (let page = 0; page < requests; page++) {
          proxy.inject([...Array(page).fill(null), 'overload']);
          const seen: string[] = [];
          const { resume } = await errorOf(walk(parameters, seen));
          assert.equal(seen.length, page * Number(parameters.limit));
          // As it would be kept in a file until another process goes on.
          await walk(JSON.parse(JSON.stringify(resume)), seen);
          assert.deepEqual(seen, whole, `page ${page}`);
        }
      });
    }
  }

  test('also in the JSON of the error, and where an answer is not a page', async () => {
    const { first_id, ...page } = await listed.client().apiKeys.list({ limit: 2 });
    const wrong = { data: page.data, first_id, last_id: 'other', has_more: true };
    const client = listed.client({ fetch: async () => Response.json(wrong) });
    const error = await errorOf(client.apiKeys.list({ after_id: 'k9', limit: 2 }));
    assert.equal(error.type, 'unexpected_answer_error');
    assert.deepEqual(error.resume, { after_id: 'k9', limit: 2 });
    assert.deepEqual(JSON.parse(JSON.stringify(error)).resume, error.resume);
  });
});
