import assert from 'node:assert/strict';
import { test } from 'node:test';
import { names, servedConsole, signedIn } from '../../support/console.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const cases: readonly (readonly [what: string, name: string, shown: string])[] = [
  ['of zero-width characters', '\u200b\u2060\ufeff', 'U+200BU+2060U+FEFF'],
  ['of joiners only', '\u200d\u200c', 'U+200DU+200C'],
  ['of one hidden character, again and again', '\u202e'.repeat(1_000), 'U+202E × 1,000'],
  ['of spaces that are no U+0020', '\u00a0\u3000\t', 'U+00A0U+3000U+0009'],
  ['of an empty Braille pattern', '\u2800', 'U+2800'],
  ['that is overridden to run backwards', '\u202egnp.exe\u202c', 'U+202Egnp.exeU+202C'],
  ['with an isolate that never ends', '\u2067 open', 'U+2067 open'],
  ['with a bell', 'a\u0007b', 'aU+0007b'],
  ['with a soft hyphen', 'pay\u00adpal', 'payU+00ADpal'],
  ['in Arabic', 'خدمة العملاء (إنتاج) 12', 'خدمة العملاء (إنتاج) 12'],
  ['in Persian, with a joiner', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['of joined emoji', '👩‍👩‍👧‍👦 ❤️', '👩‍👩‍👧‍👦 ❤️'],
  ['of 1,000 letters', 'x'.repeat(1_000), `${'x'.repeat(200)}…`],
  ['that would be cut in the middle of a character', `x${'👩'.repeat(400)}`, `x${'👩'.repeat(99)}…`],
  ['of more boxes than a line has', '\u202e\u202c'.repeat(500), `${'U+202EU+202C'.repeat(10)}…`],
];

test('a character of a name that can not be seen, or that turns the text around, is shown by its number', async t => {
  const served = await servedConsole(
    t,
    cases.map(([, name], number) => numberedKey(number, { name })),
  );
  const page = await signedIn(t, served);
  const shown = await names(page);
  for (const [index, [what, , expected]] of cases.entries()) assert.equal(shown[index], expected, what);
  // Left to right as written: the first letter is left of the last one.
  const order = await page.evaluate<number[]>(`(() => {
    const name = [...document.querySelectorAll('.name')].find(each => each.textContent.includes('gnp'));
    const text = [...name.childNodes].find(node => node.data === 'gnp.exe');
    const leftOf = at => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().left;
    };
    return [leftOf(0), leftOf(6)];
  })()`);
  assert((order[0] ?? 0) < (order[1] ?? 0), `${order}`);
});

test('the drawer has all of a name, and a repeated hidden character once', async t => {
  const name = `${'x'.repeat(500)}${'\u202e'.repeat(250)}${'\u202c'.repeat(250)}`;
  const page = await signedIn(t, await servedConsole(t, [numberedKey(0, { name })]), { at: '#key=k0' });
  const shown = await page.locator('.record .name').textContent();
  assert.equal(shown, `${'x'.repeat(500)}U+202E × 250U+202C × 250`);
});

test('a name of spaces only is told from no name', async t => {
  const keys = ['', ' ', '   '].map((name, number) => numberedKey(number, { name }));
  const page = await signedIn(t, await servedConsole(t, keys));
  assert.deepEqual(await page.locator('.open').allInnerTexts(), ['no name', '1 space', '3 spaces']);
});
