import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { createKeyroster, StoreBusy, StoreUnavailable } from '../../../src/service/library.ts';
import { inMemoryStore } from '../../support/in-memory-store.ts';
import { rounds } from '../../support/rounds.ts';

const ORGANIZATIONS = 50;
const CALLERS = rounds(1_200);
/** Requests under way at a time. */
const AT_A_TIME = 400;

const content = Object.fromEntries(
  Array.from({ length: ORGANIZATIONS }, (_, number) => [
    `org_${number}`,
    Array.from({ length: 3 + (number % 5) }, (_, key) => ({
      id: `key_${number}_${key}`,
      type: 'api_key' as const,
      name: `key ${key} of ${number}`,
      created_at: `2026-01-${String(key + 1).padStart(2, '0')}T00:00:00.000000Z`,
      created_by: { id: 'user_1', type: 'user' as const },
      partial_key_hint: 'sk-...abcd',
      status: 'active' as const,
      workspace_id: null,
    })),
  ]),
);

const delay = fc.constantFrom(0, 0, 0, 1, 3);
const aCaller = fc.record({
  organization: fc.nat({ max: ORGANIZATIONS - 1 }),
  outcome: fc.constantFrom('known', 'known', 'known', 'known', ...refusals()),
  delay,
  limit: fc.integer({ min: 1, max: 8 }),
});
type Caller = typeof aCaller extends fc.Arbitrary<infer T> ? T : never;

/** What a page's read does. */
const aRead = fc.record({ delay, failure: fc.constantFrom(null, null, null, null, 'busy', 'gone', 'fault') });

/** The statuses of the callers that aren't known. */
const REFUSED = { nobody: 401, throws: 401, rejects: 401, 'no organization': 500 } as const;
function refusals() {
  return ['nobody', 'throws', 'rejects', 'no organization'] as (keyof typeof REFUSED)[];
}

test(`${CALLERS} callers of ${ORGANIZATIONS} organizations, interleaved, slow and failing: each gets its own rows or none`, async () => {
  const store = new (await inMemoryStore())(Object.entries(content));
  const reads = fc.sample(aRead, { numRuns: CALLERS, seed: 16 });
  const keyroster = await createKeyroster({
    rateLimit: 0,
    roster: {
      async listApiKeys(organization, query) {
        const { delay = 0, failure = null } = reads.pop() ?? {};
        await pause(delay);
        if (failure === 'busy') throw new StoreBusy();
        if (failure === 'gone') throw new StoreUnavailable('gone');
        if (failure === 'fault') throw new Error('a fault');
        return store.listApiKeys(organization, query);
      },
    },
    async authenticate({ headers }) {
      const { organization, outcome, delay }: Caller = JSON.parse(headers.get('authorization') ?? '');
      if (outcome === 'throws') throw new Error('thrown');
      await pause(delay);
      if (outcome === 'rejects') throw new Error('rejected');
      if (outcome === 'nobody') return null;
      return { organizationId: outcome === 'known' ? `org_${organization}` : '', callerId: 'user_1' };
    },
  });
  let pages = 0;
  const ask = async (caller: Caller) => {
    const url = `https://example.com${LIST_API_KEYS_PATH}?limit=${caller.limit}`;
    const headers = { 'vendor-version': '2023-06-01', authorization: JSON.stringify(caller) };
    const answer = await keyroster.fetch(new Request(url, { headers }));
    const { data, error } = (await answer.json()) as { data?: { id: string }[]; error?: { type: string } };
    if (answer.status !== 200) assert.equal(data, undefined);
    const organization = answer.headers.get('vendor-organization-id');
    // A busy machine sheds load before anyone is authenticated.
    if (error?.type === 'overloaded_error' && organization === null) return;
    const isKnown = caller.outcome === 'known';
    assert.equal(organization, isKnown ? `org_${caller.organization}` : null);
    if (!isKnown)
      assert.equal(answer.status, REFUSED[caller.outcome as keyof typeof REFUSED], caller.outcome);
    if (answer.status !== 200) return;
    pages += 1;
    const own = content[String(organization)]?.map(({ id }) => id).reverse() ?? [];
    const listed = data?.map(({ id }) => id);
    assert.deepEqual(listed, own.slice(0, caller.limit));
  };
  const callers = fc.sample(aCaller, { numRuns: CALLERS, seed: 15 });
  for (let start = 0; start < CALLERS; start += AT_A_TIME)
    await Promise.all(callers.slice(start, start + AT_A_TIME).map(ask));
  await keyroster.close();
  assert.ok(pages > CALLERS / 100, `${pages} pages`);
});

function pause(ms: number): Promise<unknown> {
  return ms === 0 ? turn() : wait(ms);
}
