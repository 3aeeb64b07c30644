import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare, ratioOf } from '../../../bench/results/compare.ts';

/** Compares subjects that measure these figures, one in each round. */
function compareFigures(...figures: readonly (readonly number[])[]) {
  const rounds = figures[0]?.length ?? 0;
  const subjects = figures.map((own, index) => {
    let measured = -1; // the first is the warm-up
    const measure = async () => own[measured++] ?? 0;
    return { label: `subject ${index}`, measure };
  });
  return compare({ rounds, warmUp: 0 }, subjects);
}

test('a ratio is taken within each round, so that a slow machine changes both sides', async () => {
  const compared = await compareFigures([100, 10, 1000], [50, 5, 500]);
  assert.deepEqual(ratioOf(compared, 1), { median: 0.5, low: 0.5, high: 0.5 });
});

test('a ratio may be to another subject than the first', async () => {
  const compared = await compareFigures([1], [30], [10]);
  assert.equal(ratioOf(compared, 1, 2).median, 3);
});

test('a subject that was not compared has no ratio', async () => {
  const compared = await compareFigures([1]);
  assert.throws(() => ratioOf(compared, 1), /nothing was compared at 1/);
});
