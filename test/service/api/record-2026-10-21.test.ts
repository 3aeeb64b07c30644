import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Pieces, wholeBody } from '../../../src/service/api/answer.ts';
import { record20261021 } from '../../../src/service/api/record-2026-10-21.ts';
import { renderPage } from '../../../src/service/api/render-page.ts';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { newAdminKey } from '../../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import { type ApiKey, recordOf, renderApiKey } from '../../../src/service/roster/api-key.ts';
import type { ApiVersion } from '../../../src/service/roster/api-version.ts';
import type { DeclaredField } from '../../../src/service/roster/declared-fields.ts';
import { JoinedPage } from '../../../src/service/roster/pages/joined-page.ts';
import type { StoreReader } from '../../../src/service/roster/pages/reader.ts';
import type { WorkspaceId } from '../../../src/shared/record/identifier.ts';
import { apiKey } from '../../support/arbitraries.ts';
import { declaredFields, withDeclaredValues } from '../../support/declared-values.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { schemaChecker } from '../../support/openapi.ts';
import { createOrganization, importKeys, now, VENDOR } from '../../support/roster.ts';
import { atEndOf, type Scope } from '../../support/scope.ts';
import { missingOf } from '../../support/sdk-record.ts';
import { numberedKey } from '../../support/seeded-service.ts';
import { startService, stubReader } from '../../support/service.ts';

const VERSION = '2026-10-21' as ApiVersion;
const DEFAULT = 'wrkspc_default' as WorkspaceId;
const expiresAt: DeclaredField = { number: 1, name: 'expires_at', type: { kind: 'timestamp' } };
const tier: DeclaredField = { number: 2, name: 'tier', type: { kind: 'integer' } };

const pageOf = (keys: readonly ApiKey[], hasMore = false) =>
  JoinedPage.of({ items: keys.map(key => ({ id: key.id, record: renderApiKey(key) })), hasMore });
const render = (page: JoinedPage, now?: number) =>
  String(wholeBody(renderPage(page, record20261021, { defaultWorkspace: DEFAULT }, now)));
const dataOf = (keys: readonly ApiKey[], now?: number) => JSON.parse(render(pageOf(keys), now)).data;

/** What it is for the record of 2023-06-01, written out. */
function expectedOf(key: ApiKey, now: number): object {
  // biome-ignore lint/suspicious/noExplicitAny: any declared fields
  const { workspace_id, expires_at = null, principal, scope, ...others } = recordOf(key) as any;
  const isExpired = key.status === 'active' && expires_at !== null && Date.parse(expires_at) <= now;
  return {
    ...others,
    expires_at,
    principal: null,
    scope: { type: 'workspace', workspace_id: workspace_id ?? DEFAULT },
    status: isExpired ? 'expired' : key.status,
  };
}

/** Some with an expiry, and some with declared fields that have the names of others. */
const fields = fc
  .tuple(declaredFields, fc.subarray(['expires_at', 'principal', 'scope'] as const))
  .map(([declared, names]) => {
    const others = declared.filter(({ name }) => !(names as readonly string[]).includes(name));
    const own = names.map(name => ({ ...expiresAt, name, ...(name === 'scope' && { type: tier.type }) }));
    return [...others.filter(({ name }) => name !== 'expires_at'), ...own].map((field, index) => ({
      ...field,
      number: index + 1,
    }));
  });
const rosters = fields.chain(declared => fc.array(withDeclaredValues(apiKey(), declared), { maxLength: 8 }));

const at = Date.parse('2026-11-24T12:00:00Z');

test('has every property that the SDK types, with its type, for every record of any roster, and the declared fields', () => {
  fc.assert(
    fc.property(rosters, fc.boolean(), (keys, hasMore) => {
      const text = render(pageOf(keys, hasMore), at);
      const page = JSON.parse(text);
      for (const record of page.data) assert.deepEqual(missingOf(record), []);
      assert.deepEqual(
        page.data,
        keys.map(key => expectedOf(key, at)),
      );
      const ends = [keys.at(0)?.id ?? null, keys.at(-1)?.id ?? null];
      assert.deepEqual([page.first_id, page.last_id, page.has_more], [...ends, hasMore]);
      assert.equal(text, JSON.stringify(page), 'no name is there twice');
    }),
    { numRuns: 300 },
  );
});

test('a page that is kept is rendered at any time as one that is new', () => {
  const nearby = fc.integer({ min: -2, max: 2 }).map(ms => at + ms);
  const expiring = fc.option(nearby).chain(time => {
    const value = time === null ? null : new Date(time).toISOString().replace('Z', '999Z');
    return apiKey().map(key => ({ ...key, declared: [{ field: expiresAt, value }] }));
  });
  fc.assert(
    fc.property(fc.array(expiring, { maxLength: 4 }), fc.array(nearby), (keys, times) => {
      const kept = pageOf(keys);
      for (const time of times) assert.equal(render(kept, time), render(pageOf(keys), time));
    }),
    { numRuns: 300 },
  );
});

test('a value that looks like the members around it, or is written as another JSON writer does, changes nothing', () => {
  const note: DeclaredField = { number: 2, name: 'note', type: { kind: 'text', max_length: 200 } };
  const texts = [
    ',"workspace_id":null',
    '","status":"active","workspace_id":"w","expires_at":"2020-01-01T00:00:00.000000Z"},{"id":"',
    ',"scope":1',
    '\\","principal":"\\',
    ',',
    '\\',
    '"',
  ];
  const fields = [note, { ...note, name: 'scope' }, expiresAt, { ...note, name: 'principal' }];
  const keys = texts.map((text, number) =>
    numberedKey(number, {
      name: text,
      declared: fields.map(field => ({ field, value: field === expiresAt ? null : text })),
    }),
  );
  const expected = keys.map(key => expectedOf(key, at));
  assert.deepEqual(dataOf(keys, at), expected);
  const page = pageOf(keys);
  const escaped = String(page.records).replaceAll('\\\\', '\\u005c').replaceAll('\\"', '\\u0022');
  assert.deepEqual(
    JSON.parse(render(new JoinedPage(Buffer.from(escaped), page.count, false), at)).data,
    expected,
  );
});

test('a large page is in pieces of which none is large, with each record once', () => {
  const keys = Array.from({ length: 1_000 }, (_, number) => numberedKey(number));
  const page = renderPage(pageOf(keys), record20261021, { defaultWorkspace: DEFAULT }, at);
  assert(page instanceof Pieces);
  assert(page.pieces.length > 3 && page.pieces.every(({ length }) => length < 100_000));
  assert.deepEqual(
    JSON.parse(String(wholeBody(page))).data,
    keys.map(key => expectedOf(key, at)),
  );
});

describe('the status', () => {
  const expiring = (status: ApiKey['status'], value: string | null) =>
    numberedKey(1, { status, declared: [{ field: expiresAt, value }] });
  const statusOf = (...key: Parameters<typeof expiring>) => dataOf([expiring(...key)], at)[0].status;

  test('is expired from the time in expires_at on, for an active key', () => {
    assert.equal(statusOf('active', '2026-11-24T12:00:00.000000Z'), 'expired');
    assert.equal(statusOf('active', '0000-01-01T00:00:00.000000Z'), 'expired');
    assert.equal(statusOf('active', '2026-11-24T12:00:00.001000Z'), 'active');
    assert.equal(statusOf('active', null), 'active');
    assert.equal(dataOf([numberedKey(1)], at)[0].status, 'active');
  });
});

/** Lists over HTTP, and checks each page against the document that the service has. */
async function serve(scope: Scope, reader: StoreReader, secret: string) {
  const versions = ['2027-01-01' as ApiVersion, VERSION];
  const { url, close } = await startService(reader, VENDOR, { versions, defaultWorkspace: DEFAULT });
  atEndOf(scope, close);
  const check = schemaChecker((await (await fetch(`${url}/openapi.json`)).json()) as object);
  return async (query: string, version: string = VERSION) => {
    const headers = { 'x-api-key': secret, 'vendor-version': version };
    const answer = await fetch(`${url}${LIST_API_KEYS_PATH}?${query}`, { headers });
    const text = await answer.text();
    const body = JSON.parse(text);
    check(`/components/schemas/${answer.status === 200 ? 'ApiKeyList' : 'ErrorAnswer'}`, body);
    return { status: answer.status, text, body };
  };
}

describeEachStore('over the API', open => {
  test('an admin key of the default workspace by its ID is refused: no stored record has that', async t => {
    const { writer, store } = open;
    const { id } = await createOrganization(writer);
    const secret = AdminKeySecret.issue(VENDOR);
    const key = { organizationId: id, name: 'one', createdAt: now(), scope: { workspaceId: DEFAULT } };
    await writer.createAdminKey(newAdminKey(secret, key));
    const reader = await store.openReader();
    atEndOf(t, () => reader.close());
    const list = await serve(t, reader, secret.reveal());
    for (const version of [VERSION, '2023-06-01']) assert.equal((await list('', version)).status, 500);
  });

  test('a key is active in one answer and expired in the next, which no cache keeps; other versions stay as they are', async t => {
    const { store, writer } = open;
    const declared = await writer.addField({ name: 'expires_at', type: { kind: 'timestamp' } });
    const { id, secret } = await createOrganization(writer);
    const end = new Date(Date.now() + 3_600_000).toISOString().replace('Z', '000Z');
    const keys = [1, 5].map(number =>
      numberedKey(number, { status: 'active', declared: [{ field: declared, value: end }] }),
    );
    await importKeys(writer, id, keys);
    const reader = await store.openReader();
    atEndOf(t, () => reader.close());
    const list = await serve(t, reader, secret);
    const statuses = async () => {
      const { body } = await list('limit=2');
      return body.data.map(({ status }: { status: string }) => status);
    };
    const earlier = await Promise.all(['2023-06-01', '2027-01-01'].map(version => list('limit=2', version)));
    for (let times = 0; times < 3; times++) assert.deepEqual(await statuses(), ['active', 'active']);
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse(end) });
    for (let times = 0; times < 3; times++) assert.deepEqual(await statuses(), ['expired', 'expired']);
    const { body } = await list('status=active&limit=2');
    assert.deepEqual(
      body.data,
      keys.map(key => expectedOf(key, Date.now())),
    );
    for (const { text } of earlier) {
      assert.equal(text, JSON.stringify({ data: keys.map(recordOf), ...endsOf(keys), has_more: false }));
      assert.equal((await list('limit=2', '2023-06-01')).text, text);
    }
  });
});

const endsOf = (keys: readonly ApiKey[]) => ({ first_id: keys.at(0)?.id, last_id: keys.at(-1)?.id });

test('the default workspace can not be filtered by under the ID that this version shows, and no other version knows that ID', async t => {
  const { reader, secret } = stubReader();
  const list = await serve(t, reader, secret);
  const refused = await list(`workspace_id=${DEFAULT}&status=expired`);
  assert.equal(refused.status, 400);
  assert.equal(
    refused.body.error.message,
    'status: must be one of active, inactive, archived: expired is computed from expires_at, so list the active keys and compare that with the time; ' +
      'workspace_id: must not be the default workspace, which no filter names: list all keys, and look at their scope',
  );
  assert.equal((await list('workspace_id=wrkspc_1')).status, 200);
  assert.equal((await list(`workspace_id=${DEFAULT}`, '2023-06-01')).status, 200);
});
