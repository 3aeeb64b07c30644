import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nameGlob } from '../../../src/admin/report/name-glob.ts';

test('a pattern is for the whole text: * for any text, ? for one character, all else for itself, whatever its case', () => {
  const text = (pattern: string, texts: string[]) => texts.filter(name => nameGlob(pattern)(name));
  const names = ['prod-api', 'prod-', 'prod', 'Prod-api', 'a prod-api', 'prod-*'];
  assert.deepEqual(text('prod-*', names), ['prod-api', 'prod-', 'Prod-api', 'prod-*']);
  assert.deepEqual(text('prod-???', names), ['prod-api', 'Prod-api']);
  assert.deepEqual(text('*', ['', 'a']), ['', 'a']);
  assert.deepEqual(text('?', ['', 'a', '🚀', 'ab']), ['a', '🚀']);
  assert.deepEqual(text('[a-z].+', ['a', 'ab', '[a-z].+']), ['[a-z].+']);
});

test('it fits what a regular expression of the same meaning fits', () => {
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.'), maxLength: 7 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '\n', '🚀'), maxLength: 9 });
  fc.assert(
    fc.property(pattern, text, (glob, name) => {
      const source = glob.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
      assert.equal(nameGlob(glob)(name), new RegExp(`^${source}$`, 'su').test(name));
    }),
    { numRuns: 1_000 },
  );
});

test('no pattern takes more steps than its length times that of the text', () => {
  assert.equal(nameGlob('*a'.repeat(99))('a'.repeat(98) + 'b'.repeat(900)), false);
});
