import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Top } from '../../src/report/top.ts';

test('after every change the top is what sorting all items gives', () => {
  const raises = fc.array(fc.tuple(fc.nat({ max: 12 }), fc.integer({ min: 0, max: 3 })), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), raises, (max, all) => {
      const order = (a: { id: number; count: number }, b: typeof a) => b.count - a.count || a.id - b.id;
      const items = new Map<number, { id: number; count: number }>();
      const top = new Top(max, order);
      for (const [id, more] of all) {
        const item = items.get(id) ?? { id, count: 0 };
        items.set(id, item);
        item.count += more;
        top.raise(item);
        assert.deepEqual(top.items, [...items.values()].sort(order).slice(0, max));
      }
    }),
  );
});
