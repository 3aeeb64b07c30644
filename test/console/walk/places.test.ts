import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Places } from '../../../src/console/walk/places.ts';

const place = fc.nat({ max: 30 }).map(minute => ({
  id: `k${minute}`,
  created_at: `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000000Z`,
}));
test('of all keys that were seen, the oldest that is not older than a time is known', () => {
  fc.assert(
    fc.property(fc.array(place), fc.array(place), place, (seen, gone, { created_at: time }) => {
      const places = new Places();
      // A page gives its last key, and an empty one none.
      for (const each of seen) places.add([{ id: 'other', created_at: '2027' }, each]);
      places.add([]);
      for (const { id } of gone) places.forget(id);
      const left = seen.filter(({ id }) => gone.every(other => other.id !== id));
      const notOlder = left.filter(({ created_at }) => created_at >= time);
      const expected = notOlder.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))[0];
      assert.deepEqual(places.lastNotBefore(time), expected);
    }),
  );
});
