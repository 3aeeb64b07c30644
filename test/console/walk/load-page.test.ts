import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { passing } from '../../../src/admin/find/local-filter.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { type LoadedPage, walkToPage } from '../../../src/console/walk/load-page.ts';
import { localFiltersOf } from '../../../src/console/walk/local-filter.ts';
import type { RosterQuery } from '../../../src/console/walk/query.ts';
import type { WalkSource } from '../../../src/console/walk/walk.ts';
import type { Timestamp } from '../../../src/shared/record/timestamp.ts';
import { suiteScope } from '../../support/scope.ts';
import { collect, idsOf, numberedKey, startSeededService } from '../../support/seeded-service.ts';

/** Groups of ten have the same time; the service lists those by their IDs. */
const keys = Array.from({ length: 2_500 }, (_, number) => {
  const { createdAt } = numberedKey(Math.floor(number / 10));
  const name = `Key ${number % 7}`;
  return numberedKey(number, { createdAt: createdAt as Timestamp, name });
});
const seeded = await startSeededService(suiteScope(), keys);
const all = await collect(seeded.client().apiKeys.list({ limit: 1_000 }));

const source = (): WalkSource => ({ retryingClient: seeded.client() });

const day = fc.nat({ max: 260 }).map(days => {
  const [newest] = all as [ApiKeyRecord];
  return new Date(Date.parse(newest.created_at) - days * 86_400_000).toISOString().slice(0, 10);
});
const filters: fc.Arbitrary<RosterQuery> = fc.record(
  {
    status: fc.constantFrom('active', 'inactive', 'archived'),
    workspace_id: fc.constantFrom('wrkspc_1', 'wrkspc_2'),
    created_by_user_id: fc.constantFrom('user_0', 'user_1'),
    creator_type: fc.constantFrom('user', 'service_account'),
    default_workspace: fc.constant('true'),
    created_from: day,
    created_before: day,
    name: fc.constantFrom('Key 1', 'Key 2', 'Key'),
  },
  { requiredKeys: [] },
);

function expectedOf(query: RosterQuery): string[] {
  const { status, workspace_id, created_by_user_id, created_from = '', created_before = '~' } = query;
  const ofService = all.filter(
    key =>
      (!status || key.status === status) &&
      (!workspace_id || key.workspace_id === workspace_id) &&
      (!created_by_user_id || key.created_by.id === created_by_user_id) &&
      key.created_at >= created_from &&
      key.created_at < created_before,
  );
  return idsOf(passing(ofService, localFiltersOf(query)));
}

async function pageOf(of: WalkSource, query: RosterQuery): Promise<LoadedPage> {
  const { walk, page } = walkToPage(of, query);
  await walk.run();
  assert.equal(walk.state.kind, 'complete');
  return page();
}

describe('a list that the console filters too', () => {
  test('has its oldest keys first where it is sorted, and says how many there are', async () => {
    const query = { status: 'active', oldest_by: 'created_at', limit: '100' };
    const active = all.filter(({ status }) => status === 'active');
    const oldest = active.toSorted((a, b) => {
      const [first = '', second = ''] = [a, b].map(({ created_at, id }) => created_at + id);
      return first < second ? -1 : 1;
    });
    const { keys: shown, ...page } = await pageOf(source(), { ...query, after_id: all[9]?.id ?? '' });
    assert.deepEqual(idsOf(shown), idsOf(oldest.slice(0, 100)));
    assert.deepEqual([page.newer, page.older, page.total], [false, false, active.length]);
    const { walk } = walkToPage(source(), { ...query, oldest_by: 'expires_at' });
    await walk.run();
    assert.match(
      String(walk.state.kind === 'failed' && walk.state.error),
      /doesn't tell the expires_at of keys/,
    );
  });

  test('has exactly the keys of its filters, to the oldest by Next and back by Previous', async () => {
    const one = source();
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 40, max: 900 }), async (filter, limit) => {
        const query = { ...filter, limit: String(limit) };
        const pages = [await pageOf(one, query)];
        for (let last = pages.at(-1); last?.older; last = pages.at(-1))
          pages.push(await pageOf(one, { ...query, after_id: last.keys.at(-1)?.id ?? '' }));
        assert.deepEqual(
          pages.flatMap(({ keys: ofPage }) => idsOf(ofPage)),
          expectedOf(query),
        );
        for (const [index, { keys: ofPage }] of [...pages.entries()].slice(1)) {
          const before = await pageOf(one, { ...query, before_id: ofPage[0]?.id ?? '' });
          assert.deepEqual(idsOf(before.keys), idsOf(pages[index - 1]?.keys ?? []));
          assert.deepEqual([before.newer, before.older], [index > 1, true]);
        }
      }),
      { numRuns: 12 },
    );
  });
});
