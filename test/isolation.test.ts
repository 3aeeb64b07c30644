import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { ApiKey } from '../src/service/roster/api-key.ts';
import { CREATOR_TYPES } from '../src/shared/record/api-key-record.ts';
import type { FilterName, FilterValue } from '../src/shared/record/filters.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../src/shared/record/identifier.ts';
import type { ListQuery, Scope } from '../src/shared/record/list-query.ts';
import type { PartialKeyHint } from '../src/shared/record/partial-key-hint.ts';
import { STATUSES } from '../src/shared/record/status.ts';
import type { Timestamp } from '../src/shared/record/timestamp.ts';
import { KeepAliveClient, type RawAnswer } from './support/keep-alive-client.ts';
import { modelPage } from './support/model.ts';
import { createOrganization, importKeys } from './support/roster.ts';
import { rounds } from './support/rounds.ts';
import { atEndOf, suiteScope } from './support/scope.ts';
import { type AskAs, serveScopedCallers } from './support/scoped-callers.ts';
import { serveStore } from './support/service.ts';
import { storeKinds } from './support/stores.ts';
import { queryString } from './support/walk.ts';

const ORGANIZATIONS = 20;
const KEYS_EACH = 40;
const REQUESTS = rounds(300);
/** Requests sent at the same time. */
const CONCURRENT = 50;

// Every third ID is unique to its organization; the others also exist in some other organizations.
const idOf = (kind: string, organization: number, number: number) =>
  number % 3 === 0 ? `${kind}_own_${organization}_${number}` : `${kind}_${(organization % 10) + number}`;
const keyIdOf = (organization: number, number: number) => idOf('apikey', organization, number) as ApiKeyId;
const workspaceOf = (organization: number, number: number) =>
  idOf('wrkspc', organization, number % 4) as WorkspaceId;
const creatorOf = (organization: number, number: number) =>
  idOf('user', organization, number % 5) as CreatorId;

/** Keys with the same ID also have the same creation time, so that only the organization tells them apart. */
function rosterOf(organization: number): ApiKey[] {
  return Array.from({ length: KEYS_EACH }, (_, number) => ({
    id: keyIdOf(organization, number),
    name: `of organization ${organization}`,
    createdAt: BigInt(Math.floor(((organization % 10) + number) / 4)) as Timestamp,
    createdBy: { id: creatorOf(organization, number), type: CREATOR_TYPES[organization % 2] ?? 'user' },
    partialKeyHint: `sk-${organization}-...${number}` as PartialKeyHint,
    status: STATUSES[(organization + number) % 3] ?? 'active',
    workspaceId: number % 7 === 0 ? null : workspaceOf(organization, number),
  }));
}

interface Request {
  /** The organization whose admin key is sent. */
  readonly caller: number;
  readonly query: ListQuery;
  /** Those of callers of this organization who ask for the same URL. */
  readonly scopes: readonly (Scope | undefined)[];
}

/** A request with one organization's admin key and IDs of any organization, its own included. */
const request = fc.nat({ max: ORGANIZATIONS - 1 }).chain(caller => {
  const organization = fc.oneof(fc.constant(caller), fc.nat({ max: ORGANIZATIONS - 1 }));
  const any = <Id>(makeId: (organization: number, number: number) => Id) =>
    fc.tuple(organization, fc.nat({ max: KEYS_EACH - 1 })).map(place => makeId(...place));
  const cursor = fc.record({ direction: fc.constantFrom('after', 'before'), id: any(keyIdOf) });
  const filterValues: { readonly [Name in FilterName]: fc.Arbitrary<FilterValue<Name>> } = {
    status: fc.constantFrom(...STATUSES),
    workspaceId: any(workspaceOf),
    creatorId: any(creatorOf),
  };
  const filter = fc.oneof(fc.constant({}), fc.record(filterValues, { requiredKeys: [] }));
  const limit = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(1000));
  const query = fc.record({ limit, cursor: fc.option(cursor, { freq: 3 }), filter });
  const own = fc.nat({ max: KEYS_EACH - 1 });
  const scope = fc.oneof(
    fc.record({ workspaceId: own.map(number => workspaceOf(caller, number)) }),
    fc.record({ creatorId: own.map(number => creatorOf(caller, number)) }),
    fc.record({ workspaceId: any(workspaceOf), creatorId: any(creatorOf) }),
  );
  const scopes = fc.tuple(fc.constant(undefined), scope, scope);
  return fc.record({ caller: fc.constant(caller), query, scopes });
}) as fc.Arbitrary<Request>;

for (const kind of storeKinds) {
  describe(`isolation of organizations over ${kind.name}`, () => {
    const scope = suiteScope();
    const rosters = Array.from({ length: ORGANIZATIONS }, (_, number) => rosterOf(number));
    const callers: { id: string; secret: string }[] = [];
    let client: KeepAliveClient;
    let ask: AskAs;

    before(async () => {
      const store = await kind.create();
      atEndOf(scope, () => store.remove());
      const writer = await store.openWriter();
      atEndOf(scope, () => writer.close());
      for (const roster of rosters) {
        const caller = await createOrganization(writer);
        callers.push(caller);
        await importKeys(writer, caller.id, roster);
      }
      const service = await serveStore(scope, store);
      ask = await serveScopedCallers(scope, store);
      client = new KeepAliveClient(service.port, CONCURRENT);
      atEndOf(scope, () => client.close());
    });

    const send = ({ caller, query }: Omit<Request, 'scopes'>) =>
      client.getWithRetry(`/v1/organizations/api_keys?${queryString(query)}`, {
        'x-api-key': callers[caller]?.secret ?? '',
        'vendor-version': '2023-06-01',
      });

    test(`${REQUESTS} requests with other organizations' cursors, workspaces and creators get no other organization's record`, async t => {
      let own = 0;
      let unknown = 0;
      const property = fc.asyncProperty(
        fc.array(request, { minLength: CONCURRENT, maxLength: CONCURRENT }),
        async sent => {
          const answers = await Promise.all(sent.map(send));
          for (const [number, { caller, query }] of sent.entries()) {
            const answer = answers[number] as RawAnswer;
            const expected = modelPage(rosters[caller] as ApiKey[], query);
            if (expected) own += expected.data.length;
            else unknown += 1;
            assert.equal(answer.headers['vendor-organization-id'], callers[caller]?.id);
            assert.equal(answer.status, expected ? 200 : 400);
            if (expected) assert.deepEqual(JSON.parse(answer.body), expected);
          }
        },
      );
      await fc.assert(property, { numRuns: Math.ceil(REQUESTS / CONCURRENT) });
      t.diagnostic(`${own} records listed, ${unknown} unknown cursors refused`);
      assert.ok(own > REQUESTS / 10 && unknown > REQUESTS / 10);
    });

    test("another organization's cursor gets exactly the same answer as an unknown one", async () => {
      const property = fc.asyncProperty(request, async ({ caller, query }) => {
        const { cursor } = query;
        fc.pre(cursor !== null && !rosters[caller]?.some(key => key.id === cursor.id));
        const unknown = { ...query, cursor: { ...cursor, id: 'apikey_unknown' as ApiKeyId } };
        const answers = await Promise.all([send({ caller, query }), send({ caller, query: unknown })]);
        const [actual, expected] = answers.map(withoutRequest);
        assert.deepEqual(actual, expected);
      });
      await fc.assert(property, { numRuns: Math.ceil(REQUESTS / 20) });
    });

    const askOf = ({ caller, query }: Request, only: Scope | undefined) =>
      ask(callers[caller]?.id ?? '', only, queryString(query));

    test(`${REQUESTS} callers of scopes, who ask for the same pages at once and again, get no record outside of theirs`, async t => {
      let listed = 0;
      let empty = 0;
      let unknown = 0;
      const property = fc.asyncProperty(fc.array(request, { minLength: 8, maxLength: 8 }), async requests => {
        const sent = requests.flatMap(each => each.scopes.map(only => ({ ...each, only })));
        // A page is in the cache from the second time on.
        for (const _ of ['read', 'read and cached', 'from the cache']) {
          const answers = await Promise.all(sent.map(each => askOf(each, each.only)));
          for (const [number, { caller, query, only }] of sent.entries()) {
            const answer = answers[number] as Awaited<ReturnType<AskAs>>;
            const scoped = only ? { ...query, scope: only } : query;
            const expected = modelPage(rosters[caller] as ApiKey[], scoped);
            if (only) {
              listed += expected?.data.length ?? 0;
              if (expected?.data.length === 0) empty += 1;
              if (!expected) unknown += 1;
            }
            assert.equal(answer.status, expected ? 200 : 400);
            if (expected) assert.deepEqual(JSON.parse(answer.body), expected);
          }
        }
      });
      await fc.assert(property, { numRuns: Math.ceil(REQUESTS / (8 * 3)) });
      t.diagnostic(`${listed} records listed, ${empty} empty pages, ${unknown} unknown cursors refused`);
      assert.ok(Math.min(listed, empty, unknown) > REQUESTS / 10);
    });

    test('a cursor outside of the scope gets exactly the same answer as an unknown one', async () => {
      const property = fc.asyncProperty(request, async each => {
        const { caller, query, scopes } = each;
        const { cursor } = query;
        const scoped = { ...query, scope: scopes[1] as Scope };
        fc.pre(cursor !== null && modelPage(rosters[caller] as ApiKey[], scoped) === null);
        const unknown = {
          ...each,
          query: { ...query, cursor: { ...cursor, id: 'apikey_unknown' as ApiKeyId } },
        };
        const answers = await Promise.all([each, unknown].map(one => askOf(one, scoped.scope)));
        const [actual, expected] = answers.map(({ headers, ...rest }) =>
          withoutRequest({ ...rest, headers: Object.fromEntries(headers) }),
        );
        assert.deepEqual(actual, expected);
      });
      await fc.assert(property, { numRuns: Math.ceil(REQUESTS / 20) });
    });
  });
}

/** An answer without the parts that always differ: the request ID in the header and the body, and the date. */
function withoutRequest({ status, headers, body }: RawAnswer): unknown {
  const { 'request-id': requestId, date: _, ...others } = headers;
  assert.ok(requestId && body.includes(`"${requestId}"`));
  return { status, headers: others, body: body.replace(String(requestId), '') };
}
