import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { renderApiKey } from '../../../../src/service/roster/api-key.ts';
import { JoinedPage } from '../../../../src/service/roster/pages/joined-page.ts';
import { areNewestFirst, pageItem } from '../../../../src/service/roster/pages/page.ts';
import { apiKey } from '../../../support/arbitraries.ts';
import { exampleRecord } from '../../../support/example-record.ts';

describe('the item of a page for a record', () => {
  const of = (change: object) => pageItem({ ...exampleRecord, ...change } as never);

  test('has its ID and its JSON, in the order of the fields that the API documents', () => {
    const shuffled = Object.fromEntries(Object.entries(exampleRecord).reverse());
    assert.deepEqual(of(shuffled), { id: exampleRecord.id, record: JSON.stringify(exampleRecord) });
  });

  test('has its time in UTC with six decimals', () => {
    const { record } = of({ created_at: '2024-10-31T01:58:27+02:00' });
    assert.equal(JSON.parse(record).created_at, '2024-10-30T23:58:27.000000Z');
  });

  test('is refused when a key is where its hint belongs or in another field, by a message without the key', () => {
    const key = 'sk-ven-api03-R2D0123456789abcdefghigAA';
    assert.throws(() => of({ partial_key_hint: key, key_hash: key }), {
      name: 'TypeError',
      message: /^key_hash: unknown field; partial_key_hint: must be masked: (?!.*0123456789)/,
    });
  });
});

test('items are newest first by the microsecond, and those of one time by ID, the greatest first', () => {
  const item = (id: string, created_at: string) => pageItem({ ...exampleRecord, id, created_at } as never);
  const [early, late] = ['2024-10-30T23:58:27.000001Z', '2024-10-30T23:58:27.000002Z'] as const;
  assert(areNewestFirst([item('a', late), item('c', early), item('b', early)]));
  assert(!areNewestFirst([item('a', early), item('b', late)]));
  assert(!areNewestFirst([item('b', early), item('c', early)]));
  // Numbers as numbers, which a table that counts its keys can do, or as bytes.
  assert(areNewestFirst([item('10', early), item('9', early)]));
  assert(areNewestFirst([item('9', early), item('10', early)]));
  assert(!areNewestFirst([item('10', early), item('11', early)]));
  assert(!areNewestFirst([item('10', early), item('9a', early)]));
});

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
