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
import { until } from '../support/until.ts';

const KEYS = 40;
/** The type of the error that each fault causes after the last retry. */
const types: Readonly<Record<Fault, string>> = {
  dropped: 'network_error',
  'rate limit': 'rate_limit_error',
  overload: 'overloaded_error',
  'load balancer 502': 'unexpected_answer_error',
  'load balancer 503': 'unexpected_answer_error',
  'load balancer 504': 'unexpected_answer_error',
  'half of a known length': 'network_error',
  'half of the chunks': 'network_error',
  'half until the close': 'network_error',
  silence: 'timeout_error',
  'slow body': 'timeout_error',
};
const slow = ['silence', 'slow body'] as const;
const quick = (Object.keys(types) as Fault[]).filter(fault => !(slow as readonly Fault[]).includes(fault));

describe('listing all keys over a connection that fails', () => {
  const scope = suiteScope();
  let listed: SeededService;
  let proxy: FaultInjectingProxy;
  before(async () => {
    listed = await startSeededService(scope, numberedKeys(KEYS));
    proxy = await startFaultInjectingProxy(scope, listed.service.url);
  });
  beforeEach(() => {
    mock.method(Math, 'random', () => 0); // a retry doesn't wait
  });

  /** The IDs that were listed, and the error that ended the list, if any. */
  async function listAll(query: ListParameters, options: Partial<KeyrosterClientOptions> = {}) {
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

  test('gives every key once, or a correct first part and then a typed error', async () => {
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
          const { seen, error } = await listAll(backward ? { limit, before_id: `k${KEYS - 1}` } : { limit }, {
            retries,
          });
          const expected = outcome(faults, Math.ceil(whole.length / limit), retries);
          assert.deepEqual(seen, whole.slice(0, expected.pages * limit));
          assert.equal(error?.type ?? null, expected.type);
        },
      ),
      { numRuns: 25 },
    );
  });

  for (const fault of slow) {
    test(`retries after ${fault}, and fails with a timeout_error when it happens again`, async () => {
      proxy.inject([null, fault]);
      const once = await listAll({ limit: 15 }, { timeoutMs: 500 });
      assert.deepEqual([once.seen, once.error, proxy.requests()], [listed.ids, null, 4]);
      proxy.inject([null, fault, fault]);
      const repeated = await listAll({ limit: 15 }, { timeoutMs: 500, retries: 1 });
      assert.equal(repeated.error?.type, 'timeout_error');
      assert.match(String(repeated.error?.message), /within 500 ms/);
      assert.deepEqual(repeated.seen, listed.ids.slice(0, 15));
    });
  }

  test('stops a request in progress when its signal is aborted, and sends no more', async () => {
    proxy.inject(['silence']);
    const controller = new AbortController();
    const reason = new Error('enough');
    const page = listed.client({ baseUrl: proxy.url }).apiKeys.list({}, { signal: controller.signal }).then();
    await until('there is a request', () => proxy.requests() > 0);
    controller.abort(reason);
    await assert.rejects(page, reason);
    assert.equal(proxy.requests(), 1);
  });
});

/** How many of these pages arrive, and the type of the error that follows them, or null. */
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
