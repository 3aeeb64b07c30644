import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  containsMaskedKey,
  type PartialKeyHint,
  parsePartialKeyHint,
} from '../../src/roster/partial-key-hint.ts';

describe('a partial key hint', () => {
  for (const text of [
    'sk-ven-api03-R2D...igAA',
    'k...1',
    'SG.abc...x==',
    `${'p'.repeat(32)}...${'s'.repeat(8)}`,
  ]) {
    test(`may be ${text}`, () => assert.equal(parsePartialKeyHint(text), text));
  }

  const refused: [text: unknown, why: string][] = [
    ['sk-ven-api03-R2DigAA', 'has no ellipsis'],
    ['...igAA', 'has no prefix'],
    ['sk-ven...', 'has no last characters'],
    ['sk-ven..igAA', 'has two dots only'],
    ['sk-ven…igAA', 'has the ellipsis character instead of three dots'],
    [`${'p'.repeat(33)}...s`, 'has a prefix that is too long'],
    [`p...${'s'.repeat(9)}`, 'shows more than the last few characters'],
    ['sk ven...igAA', 'has a space'],
    ['sk-ven...ig"A', 'has a quote'],
    ['sk-ven...igAA\n', 'ends in a newline'],
    [null, 'is null'],
  ];
  for (const [text, why] of refused) {
    test(`is refused when it ${why}`, () => assert.equal(parsePartialKeyHint(text), undefined));
  }

  const hint = 'sk-ven-R2D...igAA' as PartialKeyHint;
  const withKey = [
    'sk-ven-R2Dx9x9x9x9igAA',
    'my key: sk-ven-R2Dabcdefgh0123igAA (old)',
    'was sk-ven-R2D...igAA, now sk-ven-R2Dx9x9x9x9igAA',
  ];
  for (const text of withKey) {
    test(`finds the key that it masks in ${text}`, () => assert.equal(containsMaskedKey(hint, text), true));
  }
  const withoutKey = ['Developer Key', 'sk-ven-R2D', 'igAA', 'sk-ven-R2D...igAA', 'sk-ven-R2D is igAA', ''];
  test('finds no key when it shows too little of it', () => {
    assert.equal(containsMaskedKey('s...t' as PartialKeyHint, 'support-department'), false);
  });

  for (const text of withoutKey) {
    test(`finds no key in "${text}"`, () => assert.equal(containsMaskedKey(hint, text), false));
  }
});
