/** better-auth's own table, with its own inserts, updates and deletes: pages and walks equal a model. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from 'pg';
import { seededRandom } from '../../../src/conformance/random.ts';
import { FIELD_NAMES } from '../../../src/postgres/adoption/mapping/mapping.ts';
import { type ApiKey, STATUSES } from '../../../src/roster/api-key.ts';
import type { Filter } from '../../../src/roster/filters.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../../../src/roster/identifier.ts';
import type { Cursor } from '../../../src/roster/list-query.ts';
import type { PartialKeyHint } from '../../../src/roster/partial-key-hint.ts';
import type { StoreReader } from '../../../src/roster/roster.ts';
import { type Timestamp, timestampOfDate } from '../../../src/roster/timestamp.ts';
import { atEndOf, suiteScope } from '../scope.ts';
import { storeAt } from '../store-at.ts';
import { assertPage, assertWalk } from './adopted-table.ts';
import { betterAuthMapping, openBetterAuth } from './better-auth.ts';
import { examine } from './examine.ts';
import { adopt } from './kinds.ts';
import { proposalFor, sourcesOf } from './proposals.ts';
import { vendorDatabase } from './vendor-database.ts';

const USERS = 50;
const PAGES = 400;
const CHANGED_PAGES = 8;
const DIRECTIONS = ['after', 'before'] as const;

type Auth = Awaited<ReturnType<typeof openBetterAuth>>;

/** A row as better-auth returns it. */
interface AuthKey {
  readonly id: string;
  readonly name: string | null;
  readonly start: string | null;
  readonly referenceId: string;
  readonly enabled: boolean;
  readonly createdAt: Date;
}

/** Over 50 users with as many API keys each. */
export function compareBetterAuth(keysEach: number): void {
  describe(`better-auth with ${USERS * keysEach} API keys of ${USERS} users`, () => {
    const scope = suiteScope();
    const random = seededRandom(17);
    const pick = <T>(values: readonly T[]) => values[random(values.length)] as T;
    const rosters = new Map<string, Map<ApiKeyId, ApiKey>>();
    let signedIn: SignedIn;
    let auth: Auth;
    let reader: StoreReader;
    let client: Client;
    let url: string;

    before(async () => {
      const database = await vendorDatabase(scope);
      client = database.client;
      url = database.url;
      auth = await openBetterAuth(url);
      atEndOf(scope, () => auth.close());
      await auth.migrate();
      signedIn = await signUp(auth);
      await makeKeys(client, auth, signedIn.id, keysEach);
      await adopt(url, betterAuthMapping);
      reader = await storeAt(url).openReader();
      atEndOf(scope, () => reader.close());
      const { rows } = await client.query(
        'SELECT id, name, start, "referenceId", enabled, "createdAt" FROM apikey',
      );
      for (const row of rows) keep(row);
    });
    const keep = (row: AuthKey) => {
      const key = apiKeyOf(row);
      if (!rosters.has(row.referenceId)) rosters.set(row.referenceId, new Map());
      rosters.get(row.referenceId)?.set(key.id, key);
    };
    const keysOf = (user: string) => [...(rosters.get(user)?.values() ?? [])];
    const filtersOf = (user: string): Filter[] =>
      [undefined, ...STATUSES].flatMap(status =>
        [undefined, 'wrkspc_a' as WorkspaceId].flatMap(workspaceId =>
          [undefined, user as CreatorId, signedIn.id as CreatorId].map(creatorId => ({
            ...(status && { status }),
            ...(workspaceId && { workspaceId }),
            ...(creatorId && { creatorId }),
          })),
        ),
      );

    test('has pages equal to those of a model, from any cursor with every filter', async () => {
      assert.deepEqual([rosters.size, keysOf(signedIn.id).length], [USERS, keysEach]);
      const users = [...rosters.keys()];
      for (let number = 0; number < PAGES; number++) {
        const user = pick(users);
        const owner = number % 10 === 0 ? pick(users) : user;
        const cursor: Cursor = { direction: pick(DIRECTIONS), id: pick(keysOf(owner)).id };
        const filters = filtersOf(user);
        const filter = filters[number % filters.length] as Filter;
        await assertPage(reader, user, keysOf(user), {
          limit: 1 + random(100),
          cursor: pick([null, cursor]),
          filter,
        });
      }
    });

    for (const direction of DIRECTIONS)
      for (const filter of [{}, { status: 'active' }, { status: 'inactive' }] as const)
        test(`has an exact walk by ${direction} with ${JSON.stringify(filter)} while it creates, updates and deletes keys`, async () => {
          let changes = 0;
          const change = async (cursor: ApiKeyId) => {
            if (changes++ < CHANGED_PAGES) await changeKeys(cursor);
            return keysOf(signedIn.id);
          };
          const limit = Math.ceil(keysOf(signedIn.id).length / 20);
          await assertWalk(reader, signedIn.id, keysOf(signedIn.id), { direction, filter, limit }, change);
          assert.ok(changes > 1);
        });

    async function changeKeys(cursor: ApiKeyId): Promise<void> {
      const api = auth.api();
      const { id: userId, headers } = signedIn;
      for (const name of ['new 1', 'new 2']) keep(await api.createApiKey({ body: { userId, name } }));
      const others = keysOf(userId).filter(({ id }) => id !== cursor);
      const update = async (keyId: ApiKeyId, change: object) =>
        keep(await api.updateApiKey({ body: { keyId, userId, ...change } }));
      await update(cursor, { name: `renamed ${random(1_000)}`, enabled: random(2) === 1 });
      await update(pick(others).id, { enabled: random(2) === 1 });
      const { id: keyId } = pick(others);
      await api.deleteApiKey({ headers, body: { keyId } });
      rosters.get(userId)?.delete(keyId);
    }

    test('is proposed a mapping that needs at most three edits', async () => {
      const proposed = await proposalFor(url, betterAuthMapping.table);
      const sources = Object.entries(sourcesOf(proposed));
      const edited = sources.filter(([field, source]) => {
        const { note, ...wanted } = betterAuthMapping.fields[field] as { note?: string };
        return !isDeepStrictEqual(source, wanted);
      });
      assert.deepEqual(
        edited.map(([field]) => field),
        ['status'],
      ); // only better-auth's code tells what NULL means
    });

    test('has a column with hashes of keys that no field can be mapped to', async () => {
      for (const field of FIELD_NAMES)
        for (const source of [{ column: 'key' }, { sql: `left("key", 12) || '...' || right("key", 4)` }]) {
          const fields = { ...betterAuthMapping.fields, [field]: source };
          const { faults } = await examine(url, { ...betterAuthMapping, fields });
          assert.ok(
            faults.some(fault => fault.field === `fields.${field}`),
            `${field}: ${JSON.stringify(source)}`,
          );
        }
    });

    test('counts the uses of a key as cheaply as before: no index has to be updated', async () => {
      const { id } = await auth.api().createApiKey({ body: { userId: signedIn.id, name: 'used' } });
      await client.query('BEGIN');
      await client.query(
        'UPDATE apikey SET "requestCount" = 1, "lastRequest" = now(), "updatedAt" = now() WHERE id = $1',
        [id],
      );
      const { rows } = await client.query(
        "SELECT pg_stat_get_xact_tuples_hot_updated('apikey'::regclass)::int AS hot",
      );
      await client.query('ROLLBACK');
      assert.equal(rows[0].hot, 1);
    });

    test('needs no index for the workspace, which no key has', async () => {
      const { rows } = await client.query(
        `SELECT count(*)::int AS count FROM pg_indexes WHERE tablename = 'apikey' AND indexname LIKE 'keyroster%'`,
      );
      assert.equal(rows[0].count, 5); // for the cursor, and for each combination of status and creator
    });
  });
}

interface SignedIn {
  readonly id: string;
  readonly headers: Headers;
}

/** A user who may delete API keys, for which better-auth wants a session. */
async function signUp(auth: Auth): Promise<SignedIn> {
  const body = { email: 'one@example.com', password: 'not a secret', name: 'One' };
  const { headers, response } = await auth.api().signUpEmail({ body, returnHeaders: true });
  const cookie = headers.getSetCookie().map(line => line.split(';')[0]);
  return { id: response.user.id, headers: new Headers({ cookie: cookie.join('; ') }) };
}

/** Makes the users, and copies a key that better-auth made. Three keys each have the same creation time. */
async function makeKeys(client: Client, auth: Auth, userId: string, keysEach: number): Promise<void> {
  const { id } = await auth.api().createApiKey({ body: { userId, name: 'first' } });
  await client.query(
    `INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
       SELECT 'user_' || n, 'User', n || '@example.com', false, now(), now() FROM generate_series(2, $1::int) AS n`,
    [USERS],
  );
  const copied = [
    'configId',
    'prefix',
    'rateLimitEnabled',
    'rateLimitTimeWindow',
    'rateLimitMax',
    'updatedAt',
  ];
  const columns = copied.map(column => `"${column}"`).join(', ');
  await client.query(
    `INSERT INTO apikey (id, name, start, key, "referenceId", enabled, "requestCount", "createdAt", ${columns})
       SELECT left(translate(encode(sha256((owner || '/' || n)::bytea), 'base64'), '+/=', 'aB'), 32), 'Key ' || n, start,
         encode(sha256(n::text::bytea), 'base64'), owner, n % 4 > 0, 0,
         timestamptz '2024-01-01' + n / 3 * interval '17 ms', ${columns}
       FROM apikey, (SELECT id AS owner FROM "user") AS users, generate_series(1, $2::int) AS n
       WHERE id = $1 AND (owner <> "referenceId" OR n < $2)`,
    [id, keysEach],
  );
}

function apiKeyOf({ id, name, start, referenceId, enabled, createdAt }: AuthKey): ApiKey {
  return {
    id: id as ApiKeyId,
    name: name ?? '',
    createdAt: timestampOfDate(createdAt) as Timestamp,
    createdBy: { id: referenceId as CreatorId, type: 'user' },
    partialKeyHint: `${start}...____` as PartialKeyHint,
    status: enabled ? 'active' : 'inactive',
    workspaceId: null,
  };
}
