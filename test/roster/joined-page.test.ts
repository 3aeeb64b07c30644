import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { renderApiKey } from '../../src/roster/api-key-record.ts';
import { EMPTY_PAGE, JoinedPage } from '../../src/roster/joined-page.ts';
import { apiKey } from '../support/arbitraries.ts';

test('a joined page has the items that it was made of, whatever their names hold, and the IDs of its ends', () => {
  const keys = fc.array(apiKey(), { maxLength: 5 });
  fc.assert(
    fc.property(keys, fc.boolean(), (some, hasMore) => {
      const items = some.map(key => ({ id: key.id, record: renderApiKey(key) }));
      const page = JoinedPage.of({ items, hasMore });
      assert.deepEqual(page.items, items);
      assert.deepEqual(
        JSON.parse(`[${page.records}]`),
        items.map(({ record }) => JSON.parse(record)),
      );
      const ends = [items.at(0)?.id ?? null, items.at(-1)?.id ?? null];
      assert.deepEqual([page.firstId, page.lastId, page.count], [...ends, items.length]);
      assert.equal(page.hasMore, hasMore);
    }),
  );
});

test('a name that looks like the beginning of a record is no record', () => {
  const [key] = fc.sample(apiKey(), 1);
  const record = renderApiKey({ ...(key as Exclude<typeof key, undefined>), name: ',{"id":"x","type":' });
  const items = JSON.parse(record).id;
  const page = JoinedPage.of({ items: [{ id: items, record }], hasMore: false });
  assert.deepEqual([page.items.length, page.lastId], [1, items]);
});

test('an empty page has no ends', () => {
  assert.deepEqual([EMPTY_PAGE.items, EMPTY_PAGE.firstId, EMPTY_PAGE.lastId], [[], null, null]);
});
