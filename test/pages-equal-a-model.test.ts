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
import { apiKey, id } from './support/arbitraries.ts';
import { describeEachStore } from './support/each-store.ts';
import { modelPage } from './support/model.ts';
import { createOrganization, importKeys } from './support/roster.ts';
import { rounds } from './support/rounds.ts';
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
const createdAt = fc.bigInt(-2n, 3n).map(tick => (1_700_000_000_000_000n + tick) as Timestamp);
const keyId = fc.oneof(
  fc.constantFrom('k', 'k-', 'k_', 'K', 'kA', 'ka', 'k0', 'kk'),
  id({ minLength: 1, maxLength: 4 }),
);

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
    query: fc.record({ limit, cursor: fc.option(cursor), filter }) as fc.Arbitrary<ListQuery>,
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
  test(`equal those of a model for any requests over ${RUNS} random sets of rosters`, async () => {
    const service = await startService(open.reader);
    const property = fc.asyncProperty(scenario, async ({ rosters, requests }) => {
      const secrets: string[] = [];
      for (const keys of rosters) {
        const organization = await createOrganization(open.writer);
        await importKeys(open.writer, organization.id, keys);
        secrets.push(organization.secret);
      }
      await Promise.all(
        requests.map(async ({ organization, query }) => {
          const answer = await service.listWithRetry(secrets[organization] as string, queryString(query));
          const expected = modelPage(rosters[organization] as ApiKey[], query);
          if (expected) assert.deepEqual(answer.body, expected);
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
