import assert from 'node:assert/strict';
import { test } from 'node:test';
import { names, servedConsole, signedIn } from '../../support/console.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const cases: readonly (readonly [what: string, name: string, shown: string])[] = [
  ['of zero-width characters', '\u200b\u2060\ufeff', 'U+200BU+2060U+FEFF'],
  ['of joiners only', '\u200d\u200c', 'U+200DU+200C'],
  ['of an empty Braille pattern', '\u2800', 'U+2800'],
  ['that is overridden to run backwards', '\u202egnp.exe\u202c', 'U+202Egnp.exeU+202C'],
  ['with an isolate that never ends', '\u2067 open', 'U+2067 open'],
  ['with a bell', 'a\u0007b', 'aU+0007b'],
  ['with a soft hyphen', 'pay\u00adpal', 'payU+00ADpal'],
  ['in Arabic', 'خدمة العملاء (إنتاج) 12', 'خدمة العملاء (إنتاج) 12'],
  ['in Persian, with a joiner', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['of joined emoji', '👩‍👩‍👧‍👦 ❤️', '👩‍👩‍👧‍👦 ❤️'],
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
