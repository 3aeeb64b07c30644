import assert from 'node:assert/strict';
import { get } from 'node:http';
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
import { modelPage } from './support/changing-roster.ts';
import { KeepAliveClient, type RawAnswer } from './support/keep-alive-client.ts';
import { newStore } from './support/opened.ts';
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
/** Of the connections of callers with admin keys. */
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
    let port: number;
    let client: KeepAliveClient;
    let ask: AskAs;

    before(async () => {
      const store = await newStore(scope, kind);
      const writer = await store.openWriter();
      atEndOf(scope, () => writer.close());
      for (const roster of rosters) {
        const caller = await createOrganization(writer);
        callers.push(caller);
        await importKeys(writer, caller.id, roster);
      }
      ({ port } = await serveStore(scope, store));
      ask = await serveScopedCallers(scope, store);
      client = new KeepAliveClient(port, CONCURRENT);
      atEndOf(scope, () => client.close());
    });

    /** Asks with the organization's admin key, and leaves before the answer is there. */
    function leave({ caller, query }: Request): void {
      const headers = { 'x-api-key': String(callers[caller]?.secret), 'vendor-version': '2023-06-01' };
      const path = `/v1/organizations/api_keys?${queryString(query)}`;
      const asked = get({ host: '127.0.0.1', port, agent: false, path, headers }).on('error', () => {});
      asked.on('finish', () => setImmediate(() => asked.destroy()));
    }

    /** A caller of the whole organization by its admin key, and one of a scope by the library. */
    async function askOf({ caller, query }: Request, only: Scope | undefined): Promise<RawAnswer> {
      const { id, secret } = callers[caller] as (typeof callers)[number];
      if (!only)
        return client.getWithRetry(`/v1/organizations/api_keys?${queryString(query)}`, {
          'x-api-key': secret,
          'vendor-version': '2023-06-01',
        });
      const { headers, ...answer } = await ask(id, only, queryString(query));
      return { ...answer, headers: Object.fromEntries(headers) };
    }

    test(`${REQUESTS} callers of organizations and of scopes, who ask for the same pages at once and again, beside others who leave, with others' cursors, workspaces and creators, get no record outside of theirs`, async t => {
      const counts = {
        'of organizations': { listed: 0, unknown: 0 },
        'of scopes': { listed: 0, unknown: 0, empty: 0 },
      };
      const property = fc.asyncProperty(fc.array(request, { minLength: 8, maxLength: 8 }), async requests => {
        const sent = requests.flatMap(each => each.scopes.map(only => ({ ...each, only })));
        // A page is in the cache from the second time on.
        for (const _ of ['read', 'read and cached', 'from the cache']) {
          for (const each of requests) leave(each);
          const answers = await Promise.all(sent.map(each => askOf(each, each.only)));
          for (const [number, { caller, query, only }] of sent.entries()) {
            const answer = answers[number] as RawAnswer;
            const scoped = only ? { ...query, scope: only } : query;
            const expected = modelPage(rosters[caller] as ApiKey[], scoped);
            const count = counts[only ? 'of scopes' : 'of organizations'];
            count.listed += expected?.data.length ?? 0;
            if (!expected) count.unknown += 1;
            if (only && expected?.data.length === 0) counts['of scopes'].empty += 1;
            assert.equal(answer.headers['vendor-organization-id'], callers[caller]?.id);
            assert.equal(answer.status, expected ? 200 : 400);
            if (expected) assert.deepEqual(JSON.parse(answer.body), expected);
          }
        }
      });
      await fc.assert(property, { numRuns: Math.ceil(REQUESTS / (8 * 3)) });
      t.diagnostic(JSON.stringify(counts));
      assert.ok(Math.min(...Object.values(counts).flatMap(each => Object.values(each))) > REQUESTS / 50);
    });

    test('a cursor of another organization or outside of the scope gets exactly the same answer as an unknown one', async () => {
      const property = fc.asyncProperty(request, fc.boolean(), async (each, isScoped) => {
        const { caller, query, scopes } = each;
        const { cursor } = query;
        const only = isScoped ? scopes[1] : undefined;
        const scoped = only ? { ...query, scope: only } : query;
        fc.pre(cursor !== null && modelPage(rosters[caller] as ApiKey[], scoped) === null);
        const unknown = { ...query, cursor: { ...cursor, id: 'apikey_unknown' as ApiKeyId } };
        const asked = [query, unknown].map(query => askOf({ ...each, query }, only));
        const [actual, expected] = (await Promise.all(asked)).map(withoutRequest);
        assert.deepEqual(actual, expected);
      });
      await fc.assert(property, { numRuns: Math.ceil(REQUESTS / 10) });
    });
  });
}

/** An answer without the parts that always differ: the request ID in the header and the body, and the date. */
function withoutRequest({ status, headers, body }: RawAnswer): unknown {
  const { 'request-id': requestId, date: _, ...others } = headers;
  assert.ok(requestId && body.includes(`"${requestId}"`));
  return { status, headers: others, body: body.replace(String(requestId), '') };
}
