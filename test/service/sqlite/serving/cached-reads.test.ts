import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from '../../../../src/service/roster/page.ts';
import { openReader, openWriter } from '../../../../src/service/sqlite/store.ts';
import type { ApiKeyId } from '../../../../src/shared/record/identifier.ts';
import type { ListQuery } from '../../../../src/shared/record/list-query.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { importContent, jsonLines, record } from '../../../support/import-file.ts';
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

  test('keeps pages apart by what a later version adds to a query, too', async t => {
    const { store, reader } = await cachingReader(t);
    const list = (more: object) => reader.listApiKeys(store.organization, { ...FIRST, ...more });
    await list({});
    const cached = await list({});
    assert.equal(await list({}), cached);
    assert.notEqual(await list({ later: true }), cached);
  });
});
