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
import {
  collect,
  idsOf,
  numberedKeys,
  type SeededService,
  startSeededService,
} from '../support/seeded-service.ts';
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

const walks: readonly ListParameters[] = [
  {},
  { after_id: 'k3' },
  { before_id: `k${KEYS - 1}` },
  { status: 'active', created_by_user_id: 'user_1' },
  { workspace_id: 'wrkspc_1', status: 'active', before_id: 'k38' },
];

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

  /** Adds the IDs of what is listed, of records or of pages. Returns the error that ended the list, if any. */
  async function listAll(
    query: ListParameters,
    options: Partial<KeyrosterClientOptions> = {},
    { seen = [] as string[], byPages = false } = {},
  ) {
    try {
      const { apiKeys } = listed.client({ baseUrl: proxy.url, ...options });
      if (!byPages) for await (const { id } of apiKeys.list(query)) seen.push(id);
      else
        for await (const { data } of apiKeys.pages(query))
          seen.push(...idsOf(query.before_id === undefined ? data : data.toReversed()));
      return { seen, error: null };
    } catch (error) {
      assert(error instanceof KeyrosterError, String(error));
      return { seen, error };
    }
  }

  test('gives every key once, or a correct first part and then a typed error, which tells how to go on', async () => {
    const faultLists = fc.array(fc.constantFrom<(Fault | null)[]>(null, ...quick), { maxLength: 30 });
    const limits = fc.integer({ min: 1, max: 20 });
    const property = fc.asyncProperty(
      fc.constantFrom(...walks),
      ...([faultLists, limits, fc.integer({ min: 0, max: 4 }), fc.boolean()] as const),
      async (walk, faults, limit, retries, byPages) => {
        const query: ListParameters = { ...walk, limit };
        const whole = idsOf(await collect(listed.client().apiKeys.list(query)));
        proxy.inject(faults);
        let { seen, error } = await listAll(query, { retries }, { byPages });
        const expected = outcome(faults, Math.ceil(whole.length / limit), retries);
        assert.deepEqual(seen, whole.slice(0, expected.pages * limit));
        assert.equal(error?.type ?? null, expected.type);
        // As it would be kept in a file until another process goes on.
        while (error)
          ({ error } = await listAll(
            JSON.parse(JSON.stringify(error)).resume,
            { retries },
            { seen, byPages },
          ));
        assert.deepEqual(seen, whole);
      },
    );
    await fc.assert(property, { numRuns: 40 });
  });

  for (const fault of slow) {
    test(`retries after ${fault}, and fails with a timeout_error when it happens again`, async () => {
      proxy.inject([fault]);
      // Also an answer that a busy machine is late with is asked for again.
      const once = await listAll({ limit: 15 }, { timeoutMs: 500, retries: 20 });
      assert.deepEqual([once.seen, once.error], [listed.ids, null]);
      assert(proxy.requests() >= 4);
      proxy.inject([fault, fault]);
      const repeated = await listAll({}, { timeoutMs: 500, retries: 1 });
      assert.match(String(repeated.error?.message), /within 500 ms/);
      assert.deepEqual([repeated.seen, repeated.error?.type, proxy.requests()], [[], 'timeout_error', 2]);
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
