import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fit, fittedLine, fittingWidths } from '../../../src/cli/terminal/fitted-table.ts';

test('a cell is cut between visible characters and padded by the columns that they occupy', () => {
  const cases: [text: string, columns: number, shown: string][] = [
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 4, 'abc…'],
    ['ab', 4, 'ab  '],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日… '],
    ['תמיכה evaluation', 8, 'תמיכה e…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
    ['👩‍👩‍👧👩‍👩‍👧', 3, '👩‍👩‍👧…'],
    ['a\tb', 4, 'a\\tb'],
  ];
  for (const [text, columns, shown] of cases) assert.equal(fit(text, columns), shown, text);
});

test('the widest columns are narrowed until all fit, except the ID, and none below its minimum width', () => {
  const row = ['apikey_1', 'a'.repeat(30), 'b'.repeat(20), 'c'];
  assert.deepEqual(fittingWidths([row], 100), [8, 30, 20, 1]);
  assert.deepEqual(fittingWidths([row], 45), [8, 15, 15, 1]);
  assert.deepEqual(fittingWidths([row], 10), [8, 4, 4, 1]);
  assert.equal(fittedLine(['apikey_10', 'ab'], [8, 4]), 'apikey_10  ab\n');
});
