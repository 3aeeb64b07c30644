import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RepeatedNames } from '../../src/report/repeated-names.ts';
import { name } from '../support/arbitraries.ts';

const found = (names: RepeatedNames) =>
  names.sorted().map(({ group, keys, active }) => [group, keys, active]);

test('the repeated names are those that a plain count finds', () => {
  const few = fc.constantFrom('a', 'A', 'b', '', 'é', 'e\u0301', '\ud800', '\ud801', '\udbff', '__proto__');
  const keys = fc.array(fc.tuple(fc.oneof(few, name), fc.constantFrom('active', 'archived')), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(keys, all => {
      const names = new RepeatedNames();
      for (const [each, status] of all) names.add(each, status);
      const groups = Map.groupBy(all, ([each]) => each);
      const activeOf = (group: typeof all) => group.filter(([, status]) => status === 'active').length;
      const expected = [...groups]
        .filter(([, group]) => group.length > 1)
        .map(([each, group]) => [each, group.length, activeOf(group)] as const)
        .sort((a, b) => b[1] - a[1] || b[2] - a[2] || (a[0] < b[0] ? -1 : 1));
      assert.deepEqual(found(names), expected);
      assert.deepEqual(names.top, names.sorted().slice(0, 20));
      assert.equal(names.size, expected.length);
      for (const [each, group] of groups) {
        assert.equal(names.of(each)?.of(), group.length);
        assert.equal(names.of(each)?.of('active'), activeOf(group));
      }
    }),
  );
});

test('among 20,000 names every repeated one is found, and those with the most keys come first', () => {
  const names = new RepeatedNames();
  const MANY = 20_000;
  for (let number = 0; number < MANY; number++) names.add(`Key ${number}`, 'active');
  assert.deepEqual(names.sorted(), []);
  for (const number of [0, 1, 5_000, MANY - 1]) names.add(`Key ${number}`, 'inactive');
  names.add('Key 5000', 'inactive');
  assert.deepEqual(found(names), [
    ['Key 5000', 3, 1],
    ['Key 0', 2, 1],
    ['Key 1', 2, 1],
    [`Key ${MANY - 1}`, 2, 1],
  ]);
});
