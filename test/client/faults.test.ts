import assert from 'node:assert/strict';
import { before, beforeEach, describe, mock, test } from 'node:test';
import fc from 'fast-check';
import { type KeyrosterClientOptions, KeyrosterError, type ListParameters } from '../../src/client/client.ts';
import {
  type Fault,
  type FaultInjectingProxy,
  startFaultInjectingProxy,
} from '../support/fault-injecting-proxy.ts';
import { suiteScope } from '../support/scope.ts';
import { numberedKeys, type SeededService, startSeededService } from '../support/seeded-service.ts';

const KEYS = 40;
/** What each fault is called when the retries are used up. */
const types: Readonly<Record<Fault, string>> = {
  dropped: 'network_error',
  'rate limit': 'rate_limit_error',
  overload: 'overloaded_error',
  'load balancer 503': 'unexpected_answer_error',
  'half of a known length': 'network_error',
  'half of the chunks': 'network_error',
  'half until the close': 'network_error',
  silence: 'timeout_error',
  'slow body': 'timeout_error',
};
const slow = ['silence', 'slow body'] as const;
const quick = (Object.keys(types) as Fault[]).filter(fault => !(slow as readonly Fault[]).includes(fault));

describe('a walk over a connection that fails', () => {
  const scope = suiteScope();
  let listed: SeededService;
  let proxy: FaultInjectingProxy;
  before(async () => {
    listed = await startSeededService(scope, numberedKeys(KEYS));
    proxy = await startFaultInjectingProxy(scope, listed.service.url);
  });
  beforeEach(() => {
    mock.method(Math, 'random', () => 0); // which takes the waiting out of a retry
  });

  /** The IDs that a walk gave, and the error that ended it. */
  async function walked(query: ListParameters, options: Partial<KeyrosterClientOptions> = {}) {
    const seen: string[] = [];
    try {
      const { apiKeys } = listed.client({ baseUrl: proxy.url, ...options });
      for await (const { id } of apiKeys.list(query)) seen.push(id);
      return { seen, error: null };
    } catch (error) {
      assert(error instanceof KeyrosterError, String(error));
      return { seen, error };
    }
  }

  test('is complete and exact, or ends in a typed error after an exact beginning', async () => {
    const faultLists = fc.array(fc.constantFrom<(Fault | null)[]>(null, ...quick), { maxLength: 30 });
    const queries = fc.record({ limit: fc.integer({ min: 1, max: 20 }), backward: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        faultLists,
        queries,
        fc.integer({ min: 0, max: 4 }),
        async (faults, query, retries) => {
          const { limit, backward } = query;
          const whole = backward ? listed.ids.slice(0, -1).reverse() : listed.ids;
          proxy.inject(faults);
          const { seen, error } = await walked(backward ? { limit, before_id: `k${KEYS - 1}` } : { limit }, {
            retries,
          });
          const expected = outcome(faults, Math.ceil(whole.length / limit), retries);
          assert.deepEqual(seen, whole.slice(0, expected.pages * limit));
          assert.equal(error?.type ?? null, expected.type);
        },
      ),
      { numRuns: 60 },
    );
  });

  for (const fault of slow) {
    test(`tries again after ${fault}, and ends in a timeout_error when it stays`, async () => {
      proxy.inject([null, fault]);
      const once = await walked({ limit: 15 }, { timeoutMs: 500 });
      assert.deepEqual([once.seen, once.error, proxy.requests()], [listed.ids, null, 4]);
      proxy.inject([null, fault, fault]);
      const stays = await walked({ limit: 15 }, { timeoutMs: 500, retries: 1 });
      assert.equal(stays.error?.type, 'timeout_error');
      assert.match(String(stays.error?.message), /within 500 ms/);
      assert.deepEqual(stays.seen, listed.ids.slice(0, 15));
    });
  }

  test('gives up an attempt under way when its signal is aborted, and asks no more', async () => {
    proxy.inject(['silence']);
    const controller = new AbortController();
    const reason = new Error('enough');
    const page = listed.client({ baseUrl: proxy.url }).apiKeys.list({}, { signal: controller.signal }).then();
    while (proxy.requests() === 0) await new Promise(setImmediate);
    controller.abort(reason);
    await assert.rejects(page, reason);
    assert.equal(proxy.requests(), 1);
  });
});

/** What a walk over so many pages comes to: pages it gets, and the type of the fault that it ends with. */
function outcome(faults: readonly (Fault | null)[], pages: number, retries: number) {
  const rest = [...faults];
  for (let page = 0; page < pages; page++) {
    for (let retry = 0; ; retry++) {
      const fault = rest.shift();
      if (!fault) break;
      if (retry === retries) return { pages: page, type: types[fault] };
    }
  }
  return { pages, type: null };
}
