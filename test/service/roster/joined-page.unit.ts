import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { renderApiKey } from '../../../src/service/roster/api-key.ts';
import { JoinedPage } from '../../../src/service/roster/joined-page.ts';
import { apiKey } from '../../support/arbitraries.ts';

test('a joined page has the items that it was made of, whatever their names hold, and the IDs of its ends', () => {
  // Some have names that look like the beginning of a record.
  const key = fc.tuple(apiKey(), fc.boolean()).map(([key, isAwkward]) => ({
    ...key,
    ...(isAwkward && { name: ',{"id":"x","type":' }),
  }));
  const keys = fc.array(key, { maxLength: 5 });
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
