import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { globMatcher } from '../../../src/cli/list/glob.ts';

test('a star is any text, a question mark any character, and nothing else has a meaning', () => {
  const cases: [pattern: string, matching: string[], others: string[]][] = [
    ['ci', ['ci'], ['ci-1', 'a ci', '']],
    ['ci-*', ['ci-', 'ci-1'], ['ci', 'a ci-1']],
    ['*bot*', ['bot', 'Support bot CI'], ['bo t']],
    ['a*b*c', ['abc', 'aXbXbXc'], ['ab', 'acb', 'bc']],
    ['a*a', ['aa', 'aXa'], ['a']],
    ['key ?', ['key 1', 'key 🚀'], ['key ', 'key 12']],
    ['*?', ['a', 'abc'], ['']],
    ['[a-z].\\d+', ['[a-z].\\d+'], ['b.1']],
  ];
  for (const [pattern, matching, others] of cases) {
    for (const name of matching) assert.ok(globMatcher(pattern)(name), `${pattern} ${name}`);
    for (const name of others) assert.ok(!globMatcher(pattern)(name), `${pattern} ${name}`);
  }
});

test('case, width and composed accents make no difference', () => {
  for (const [pattern, name] of [
    ['ÜBER*', 'u\u0308ber uns'],
    ['strasse', 'STRAßE'],
    ['*ＣＩ', 'support ci'],
    ['ci', 'c\u200bi'],
  ] as const)
    assert.ok(globMatcher(pattern)(name), `${pattern} ${name}`);
});

test('a full-width question mark is a character of the name', () => {
  assert.ok(globMatcher('why？')('Why?'));
  assert.ok(!globMatcher('why？')('Whys'));
});

test('matches the same names as the regular expression that says the same', () => {
  const text = (characters: string) => fc.string({ unit: fc.constantFrom(...characters), maxLength: 8 });
  fc.assert(
    fc.property(text('ab*?'), text('ab'), (pattern, name) => {
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      assert.equal(globMatcher(pattern)(name), expression.test(name));
    }),
  );
});

test('a pattern of many stars takes no longer than the name is long', () => {
  assert.ok(!globMatcher(`${'a*'.repeat(400)}b`)('a'.repeat(100_000)));
});
