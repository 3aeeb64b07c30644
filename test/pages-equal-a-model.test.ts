/** The pages of each store equal those of a model that sorts, filters and slices. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ApiKey } from '../src/service/roster/api-key.ts';
import type { FilterName, FilterValue } from '../src/shared/record/filters.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../src/shared/record/identifier.ts';
import type { ListQuery } from '../src/shared/record/list-query.ts';
import { STATUSES } from '../src/shared/record/status.ts';
import type { Timestamp } from '../src/shared/record/timestamp.ts';
import { keyId as anyKeyId, apiKey } from './support/arbitraries.ts';
import { modelPage } from './support/changing-roster.ts';
import { describeEachStore } from './support/each-store.ts';
import { createOrganization, importKeys } from './support/roster.ts';
import { rounds } from './support/rounds.ts';
import { serveScopedCallers } from './support/scoped-callers.ts';
import { startService } from './support/service.ts';
import { queryString } from './support/walk.ts';

// Only a few values of each kind, so that keys share timestamps, workspaces and creators, and organizations share IDs.
const workspaceId = fc.constantFrom('wrkspc_a', 'wrkspc_b', 'wrkspc_c') as fc.Arbitrary<WorkspaceId>;
const creatorId = fc.constantFrom('user_a', 'user_b', 'user_c') as fc.Arbitrary<CreatorId>;
/** A filter without values here doesn't compile. */
const filterValues: { readonly [Name in FilterName]: fc.Arbitrary<FilterValue<Name>> } = {
  status: fc.constantFrom(...STATUSES),
  workspaceId,
  creatorId,
};
const time = (first: bigint, last: bigint) =>
  fc.bigInt(first, last).map(tick => (1_700_000_000_000_000n + tick) as Timestamp);
const createdAt = time(-2n, 3n);
const bound = fc.oneof({ weight: 9, arbitrary: time(-3n, 4n) }, fc.constant(0n as Timestamp));
const created = fc.record({ from: bound, before: bound }, { requiredKeys: [] });
const scope = fc.oneof(
  fc.record({ workspaceId }),
  fc.record({ creatorId }),
  fc.record({ workspaceId, creatorId }),
);
const keyId = fc.oneof(fc.constantFrom('k', 'k-', 'k_', 'K', 'kA', 'ka', 'k0', 'kk'), anyKeyId(4));

const roster = fc.uniqueArray(
  apiKey({ id: keyId as fc.Arbitrary<ApiKeyId>, createdAt, creatorId, workspaceId }),
  {
    selector: key => key.id,
    maxLength: 24,
  },
);

/** A request whose cursor is usually a key of one of the rosters. */
const request = (rosters: readonly (readonly ApiKey[])[]) => {
  const ids = rosters.flat().map(key => key.id);
  const cursorId =
    ids.length > 0 ? fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...ids) }, keyId) : keyId;
  const cursor = fc.record({ direction: fc.constantFrom('after', 'before'), id: cursorId });
  const filter = fc.record(filterValues, { requiredKeys: [] });
  const limit = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 1000 }));
  return fc.record({
    organization: fc.nat({ max: rosters.length - 1 }),
    query: fc.record(
      { limit, cursor: fc.option(cursor), filter, created, scope } satisfies Record<keyof ListQuery, unknown>,
      { requiredKeys: ['limit', 'cursor', 'filter'] },
    ) as fc.Arbitrary<ListQuery>,
  });
};

const scenario = fc.array(roster, { minLength: 1, maxLength: 3 }).chain(rosters =>
  fc.record({
    rosters: fc.constant(rosters),
    requests: fc.array(request(rosters), { minLength: 1, maxLength: 12 }),
  }),
);

const RUNS = rounds(20);

describeEachStore('pages', open => {
  test(`equal those of a model for any requests over ${RUNS} random sets of rosters`, async t => {
    const service = await startService(open.reader);
    const ask = await serveScopedCallers(t, open.store);
    const property = fc.asyncProperty(scenario, async ({ rosters, requests }) => {
      const organizations: { id: string; secret: string }[] = [];
      for (const keys of rosters) {
        const organization = await createOrganization(open.writer);
        await importKeys(open.writer, organization.id, keys);
        organizations.push(organization);
      }
      await Promise.all(
        requests.map(async ({ organization, query }) => {
          const { id, secret } = organizations[organization] as { id: string; secret: string };
          const answer = query.scope
            ? await ask(id, query.scope, queryString(query))
            : await service.listWithRetry(secret, queryString(query));
          const body = typeof answer.body === 'string' ? JSON.parse(answer.body) : answer.body;
          const expected = modelPage(rosters[organization] as ApiKey[], query);
          if (expected) assert.deepEqual(body, expected);
          else assert.equal(answer.status, 400);
        }),
      );
    });
    try {
      await fc.assert(property, { numRuns: RUNS });
    } finally {
      await service.close();
    }
  });
});
