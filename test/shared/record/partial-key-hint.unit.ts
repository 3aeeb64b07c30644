import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { getHeapSnapshot } from 'node:v8';
import fc from 'fast-check';
import { randomBase62 } from '../../../src/shared/record/identifier.ts';
import {
  containsMaskedKey,
  type PartialKeyHint,
  parsePartialKeyHint,
  partialKeyHint,
} from '../../../src/shared/record/partial-key-hint.ts';

describe('a partial key hint', () => {
  test('is the beginning of a key, three dots and its last characters', () => {
    const longest = `${'p'.repeat(32)}...${'s'.repeat(8)}`;
    for (const text of ['sk-ven-api03-R2D...igAA', 'k...1', 'SG.abc...x==', longest])
      assert.equal(parsePartialKeyHint(text), text);
  });

  const refused: [text: unknown, why: string][] = [
    ['sk-ven-api03-R2DigAA', 'has no ellipsis'],
    ['...igAA', 'has no prefix'],
    ['sk-ven…igAA', 'has the ellipsis character instead of three dots'],
    [`${'p'.repeat(33)}...s`, 'has a prefix that is too long'],
    [`p...${'s'.repeat(9)}`, 'shows more than the last few characters'],
    ['sk ven...igAA', 'has a space'],
    ['sk-ven...igAA\n', 'ends in a newline'],
    [null, 'is null'],
  ];
  for (const [text, why] of refused)
    test(`is refused when it ${why}`, () => assert.equal(parsePartialKeyHint(text), undefined));

  test('finds the key that it masks in a text, unless it shows too little of it', () => {
    const finds = (text: string) => containsMaskedKey('sk-ven-R2D...igAA' as PartialKeyHint, text);
    const hint = 'sk-ven-R2D...igAA';
    assert(finds('my key: sk-ven-R2Dabcdefgh0123igAA (old)'));
    assert(finds(`was ${hint}, now sk-ven-R2Dx9x9x9x9igAA`));
    for (const text of ['Developer Key', 'sk-ven-R2D', 'igAA', hint, 'sk-ven-R2D is igAA', ''])
      assert(!finds(text), text);
    assert(!containsMaskedKey('s...t' as PartialKeyHint, 'support-department'));
  });
});

describe('the hint of a new key', () => {
  const random = 'AbC4efghIJ0lmnopqrstUVWXyz';
  const hints: [secret: string, prefix: string, hint: string, why: string][] = [
    [`sk-acme-${random}`, 'sk-acme-', 'sk-acme-AbC...WXyz', 'its prefix, three characters and the last four'],
    [random, '', 'AbC...WXyz', 'three characters where it has no prefix'],
    [`SG.${random}`, 'SG.', 'SG.AbC...WXyz', 'a prefix of any characters'],
    [
      `sk-ab-cd2_e-${random}`,
      'sk-',
      'sk-ab-...WXyz',
      'three random characters, also where they look like labels',
    ],
    [`sk-acme-${random}.x==`, 'sk-acme-', 'sk-acme-AbC...x==', 'what is after the last dot, if that is less'],
    ['0123456789abcdef0123456', '', '012...3456', 'enough of the shortest key without a prefix'],
  ];
  for (const [secret, prefix, hint, why] of hints)
    test(`shows ${why}: ${hint}`, () => assert.equal(partialKeyHint(secret, prefix), hint));

  const refused: [secret: unknown, prefix: unknown, error: RegExp, why: string][] = [
    ['0123456789abcdef012345', '', /^secret: is too short/, 'is one character too short'],
    ['sk-acme-api03-R2D2igAA', 'sk-acme-api03-', /^secret: is too short/, 'is mostly prefix'],
    [`${random} `, '', /^secret: must be text of/, 'ends in a space'],
    [`${random}\n`, '', /^secret: must be text of/, 'ends in a newline'],
    [`"${random}"`, '', /^secret: must be text of/, 'is quoted'],
    [{ toString: () => random }, '', /^secret: must be text of/, 'is an object'],
    [undefined, '', /^secret: must be text of/, 'is missing'],
    [random, undefined, /^prefix: must be what/, 'comes without a prefix'],
    [random, 'sk-acme-', /^prefix: must be what/, 'does not begin with the prefix'],
    [random.repeat(3), random.repeat(2), /^prefix: must be what .* at most 29 /, 'is in the prefix'],
  ];
  for (const [secret, prefix, message, why] of refused)
    test(`is refused when the key ${why}, without the key in the error`, () => {
      const shown = String(secret).slice(0, 8);
      assert.throws(
        () => partialKeyHint(secret as string, prefix as string),
        (error: unknown) =>
          error instanceof TypeError &&
          message.test(error.message) &&
          (shown.length < 5 || !String(error.stack).includes(shown)),
      );
    });

  test('leaves no key in what regular expressions remember, also of a key that is refused', () => {
    const groups = Array.from({ length: 9 }, (_, index) => `$${index + 1}`);
    for (const secret of [`sk-acme-${random}`, 'sk-acme-R2D2igAA', `sk-acme-${random} `, random]) {
      /^./.exec('before');
      try {
        partialKeyHint(secret, 'sk-acme-');
      } catch {}
      for (const name of ['$_', '$&', '$`', "$'", '$+', ...groups]) {
        const text: unknown = Object(RegExp)[name];
        assert.ok(!String(text).includes(secret), `RegExp["${name}"] of ${secret.length} characters`);
      }
    }
  });

  test('shows 3 and 4 random characters of each key with 18 or more random bytes, of any prefix', () => {
    const bytes = fc.uint8Array({ minLength: 18, maxLength: 64 });
    fc.assert(
      fc.property(fc.constantFrom('', 'sk-acme-api03-', 'ghp_', 'SG.'), bytes, (prefix, random) => {
        const part = Buffer.from(random).toString('base64url');
        assert.equal(
          partialKeyHint(prefix + part, prefix),
          `${prefix}${part.slice(0, 3)}...${part.slice(-4)}`,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test('keeps its rule, hides 16 characters or more, and finds the key that it masks', () => {
    const characters = [...'abcXYZ019-_.+/=~'] as [string, ...string[]];
    const key = fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(fc.constantFrom('', 'sk-acme-api03-', 'ghp_'), key, (prefix, rest) => {
        const secret = prefix + rest;
        let hint: string;
        try {
          hint = partialKeyHint(secret, prefix);
        } catch (error) {
          assert.ok(error instanceof TypeError);
          return;
        }
        assert.equal(parsePartialKeyHint(hint), hint);
        const ellipsis = hint.lastIndexOf('...');
        const [start, end] = [hint.slice(0, ellipsis), hint.slice(ellipsis + 3)];
        assert.ok(secret.startsWith(start) && secret.endsWith(end));
        assert.ok(secret.length - start.length - end.length >= 16);
        if (start.length + end.length >= 6)
          assert.ok(containsMaskedKey(hint as PartialKeyHint, `the key is ${secret}`));
      }),
      { numRuns: 1000 },
    );
  });

  test('leaves no trace of the key in the memory of the process', async () => {
    const hidden: number[][] = [];
    const hints = Array.from({ length: 20 }, () => {
      const secret = `sk-acme-api03-${randomBase62(43)}`;
      hidden.push(Array.from(secret.slice(20, 40), character => character.charCodeAt(0) + 1)); // not the text itself
      return partialKeyHint(secret, 'sk-acme-api03-');
    });
    let heap = '';
    for await (const chunk of getHeapSnapshot()) heap += chunk;
    const traces = hidden.map(codes => String.fromCharCode(...codes.map(code => code - 1)));
    assert.deepEqual(
      traces.filter(trace => heap.includes(trace)),
      [],
    );
    assert.ok(heap.includes(String(hints.at(-1))));
  });
});
