import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AdminKeySecret } from '../../../../src/service/roster/admin-key-secret.ts';
import type { Page } from '../../../../src/service/roster/page.ts';
import { openOperatorReader, openReader, openWriter } from '../../../../src/service/sqlite/store.ts';
import type { AdminKeyId, ApiKeyId, OrganizationId } from '../../../../src/shared/record/identifier.ts';
import type { ListQuery } from '../../../../src/shared/record/list-query.ts';
import type { Timestamp } from '../../../../src/shared/record/timestamp.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { importContent, jsonLines, record } from '../../../support/import-file.ts';
import { createOrganization, now } from '../../../support/roster.ts';
import type { Scope } from '../../../support/scope.ts';
import { TEST_ACTOR } from '../../../support/store-at.ts';

const FIRST: ListQuery = { limit: 20, cursor: null, filter: {} };

/** A store with two keys, its writer, and a reader with a cache. */
async function cachingReader(scope: Scope) {
  const store = await embeddedStore(scope);
  await importContent(store, jsonLines([record('a'), record('b')]));
  const writer = openWriter(store.file, TEST_ACTOR);
  const reader = openReader(store.file);
  scope.after(() => Promise.all([writer.close(), reader.close()]));
  return { store, writer, reader };
}

const contentOf = (page: Page | null) => page && { items: page.items, hasMore: page.hasMore };

describe('a reader with a page cache', () => {
  test('returns the same page object until something is written', async t => {
    const { store, reader } = await cachingReader(t);
    const list = () => reader.listApiKeys(store.organization, FIRST);
    const [first, second, third] = [await list(), await list(), await list()];
    assert.deepEqual(contentOf(second), contentOf(first));
    assert.equal(third, second, 'a page is cached when it is read a second time');
  });

  test('sees each change at once, however often the page was read before', async t => {
    const { store, writer, reader } = await cachingReader(t);
    const statuses = async () => {
      const page = await reader.listApiKeys(store.organization, FIRST);
      return (page?.items ?? []).map(item => JSON.parse(item.record).status);
    };
    for (const status of ['inactive', 'active', 'inactive', 'archived'] as const) {
      for (let times = 0; times < 3; times++) await statuses();
      await writer.setStatus(store.organization, ['a', 'b'] as ApiKeyId[], status);
      assert.deepEqual(await statuses(), [status, status]);
    }
  });

  test('caches pages separately when any part of the query differs', async t => {
    const { store, writer, reader } = await cachingReader(t);
    const other = await createOrganization(writer);
    const cursor = { direction: 'after', id: 'b' as ApiKeyId } as const;
    const queries: [OrganizationId, ListQuery][] = [
      [store.organization, FIRST],
      [other.id, FIRST],
      [store.organization, { ...FIRST, limit: 1 }],
      [store.organization, { ...FIRST, cursor }],
      [store.organization, { ...FIRST, cursor: { ...cursor, direction: 'before' } }],
      [store.organization, { ...FIRST, filter: { status: 'active' } }],
      [store.organization, { ...FIRST, filter: { workspaceId: 'active' as never } }],
      [store.organization, { ...FIRST, filter: { creatorId: 'active' as never } }],
      [store.organization, { ...FIRST, cursor: { ...cursor, id: 'unknown' as ApiKeyId } }],
    ];
    const plain = openOperatorReader(store.file);
    t.after(() => plain.close());
    for (let times = 0; times < 3; times++) {
      for (const [organization, query] of queries) {
        const expected = contentOf(await plain.listApiKeys(organization, query));
        assert.deepEqual(contentOf(await reader.listApiKeys(organization, query)), expected);
      }
    }
  });

  test('keeps pages apart by what a later version adds to a query, too', async t => {
    const { store, reader } = await cachingReader(t);
    const list = (more: object) => reader.listApiKeys(store.organization, { ...FIRST, ...more });
    await list({});
    const cached = await list({});
    assert.equal(await list({}), cached);
    assert.notEqual(await list({ later: true }), cached);
  });

  test('stops finding an admin key once it expires or is revoked', async t => {
    const { writer, reader } = await cachingReader(t);
    const expiresAt = 1_900_000_000_000_000n as Timestamp;
    const { secret } = await createOrganization(writer, { expiresAt });
    const digest = (AdminKeySecret.parse(secret) as AdminKeySecret).digest();
    const at = (expiresAt - 1n) as Timestamp;
    for (let times = 0; times < 3; times++) assert.ok(await reader.findAdminKey(digest, at));
    assert.equal(await reader.findAdminKey(digest, expiresAt), null);
    const id = (await reader.findAdminKey(digest, at))?.id as AdminKeyId;
    await writer.revokeAdminKey(id, now());
    assert.equal(await reader.findAdminKey(digest, at), null);
  });
});
