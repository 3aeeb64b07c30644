import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RepeatedNames } from '../../src/report/repeated-names.ts';
import { name } from '../support/arbitraries.ts';

test('the repeated names are those that a plain count finds', () => {
  const few = fc.constantFrom('a', 'A', 'b', '', 'é', 'e\u0301');
  const keys = fc.array(fc.tuple(fc.oneof(few, name), fc.boolean()), { maxLength: 60 });
  fc.assert(
    fc.property(keys, all => {
      const names = new RepeatedNames();
      for (const [each, active] of all) names.add(each, active);
      const groups = Map.groupBy(all, ([each]) => each);
      const expected = [...groups].filter(([, group]) => group.length > 1);
      const found = new Map(names.sorted().map(each => [each.name, [each.keys, each.active]]));
      assert.deepEqual(
        found,
        new Map(
          expected.map(([each, group]) => [
            each,
            [group.length, group.filter(([, active]) => active).length],
          ]),
        ),
      );
    }),
  );
});

test('among 100,000 names every repeated one is found, and those with the most keys come first', () => {
  const names = new RepeatedNames();
  const MANY = 100_000;
  for (let number = 0; number < MANY; number++) names.add(`Key ${number}`, true);
  assert.deepEqual(names.sorted(), []);
  for (const number of [0, 1, 5_000, MANY - 1]) names.add(`Key ${number}`, false);
  names.add('Key 5000', false);
  assert.deepEqual(names.sorted(), [
    { name: 'Key 5000', keys: 3, active: 1 },
    { name: 'Key 0', keys: 2, active: 1 },
    { name: 'Key 1', keys: 2, active: 1 },
    { name: `Key ${MANY - 1}`, keys: 2, active: 1 },
  ]);
});
