import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import headless from '@xterm/headless';
import { fit, fittedLine, narrowWidest } from '../../../../src/shared/command/terminal/fitted-table.ts';

beforeEach(() => {
  process.env.LC_ALL = 'C.UTF-8';
});

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
  const narrowed = (terminalWidth: number) => {
    const widths = [8, 30, 20, 1];
    narrowWidest(widths, [Number.POSITIVE_INFINITY, 4, 4, 4], terminalWidth);
    return widths;
  };
  assert.deepEqual(narrowed(100), [8, 30, 20, 1]);
  assert.deepEqual(narrowed(45), [8, 15, 15, 1]);
  assert.deepEqual(narrowed(10), [8, 4, 4, 1]);
  assert.equal(fittedLine(['apikey_10', 'ab'], [8, 4]), 'apikey_10  ab\n');
});

test('a cell may be cut at its start or in its middle, too', () => {
  assert.equal(fit('sk-ven-api03-R2D...igAA', 5, 'start'), '…igAA');
  assert.equal(fit('user_01WCz1FkmYMm4gnmykNKUu3Q', 12, 'middle'), 'user_0…KUu3Q');
  assert.equal(fit('日本語日本語', 6, 'middle'), '日…語 ');
  assert.equal(fit('👩‍👩‍👧 and 👩‍👩‍👧', 6, 'middle'), '👩‍👩‍👧 …👩‍👩‍👧');
  assert.equal(fit('apikey_01', 4, 'nothing'), 'apikey_01');
});

test('where the locale is not UTF-8, or there is none, three dots stand for what is cut', () => {
  for (const locale of ['C', 'de_DE.ISO-8859-1', '']) {
    process.env.LC_ALL = locale;
    process.env.LC_CTYPE = '';
    process.env.LANG = '';
    assert.equal(fit('abcdef', 5), 'ab...', locale);
  }
  process.env.LANG = 'de_DE.utf8';
  assert.equal(fit('abcdef', 5), 'abcd…');
});

test('many combining marks over one letter are cut to a few, which stay in their row', () => {
  assert.equal(fit(`a${'\u0301'.repeat(50)}b`, 4), `a${'\u0301'.repeat(6)}b  `);
});

test('a cell takes as many columns of a terminal as it is meant to, in any script', async () => {
  const scripts = 'ग्राहक தமிழ் ภาษาไทย Việt 日本語ｶﾅ 한국어 עִבְרִית العَرَبِيَّة ខ្មែរ ಕನ್ನಡ'.split(' ');
  for (const name of [...scripts, 'Ünï\u0308', '\u0301alone', 'a\u200bb', 'ⓐ½—…'])
    for (const columns of [4, 7, 30]) {
      const terminal = new headless.Terminal({ cols: 80, allowProposedApi: true });
      await new Promise<void>(drawn => terminal.write(`|${fit(name, columns, 'middle')}`, drawn));
      assert.equal(terminal.buffer.active.cursorX - 1, columns, `${name} in ${columns}`);
    }
});
