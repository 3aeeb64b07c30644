import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { folded } from '../../../src/admin/find/folded.ts';
import { matcherOf } from '../../../src/admin/find/match.ts';
import { questionOf } from '../../../src/admin/find/question.ts';
import { knownOf } from '../../../src/admin/find/roster-forms.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { exampleRecord } from '../../support/example-record.ts';

const known = knownOf([]);
const example = exampleRecord as ApiKeyRecord;
const ofExample = knownOf([example]);
/** By what the text finds a key with these fields. */
function foundBy(text: string, fields: Partial<ApiKeyRecord> = {}) {
  const question = questionOf(text, known);
  assert.ok(question);
  return matcherOf(question)({ ...example, ...fields })?.by ?? null;
}

const LONG_HINT = 'sk_live_a1B2c3D4e5F6g2...wxy2';

describe('a key is found', () => {
  const found: [text: string, by: string, fields?: Partial<ApiKeyRecord>][] = [
    ['developer', 'name'],
    ['LOPER k', 'name'],
    ['schlüssel', 'name', { name: 'Schlu\u0308ssel' }],
    ['file', 'name', { name: '\ufb01le' }],
    ['strasse', 'name', { name: 'Lange Straße' }],
    ['ISTANBUL', 'name', { name: 'İstanbul' }],
    ['ΟΔΟΣ', 'name', { name: 'οδος' }],
    ['...', 'name', { name: 'to be continued ...' }],
    ['550e8400', 'name', { name: 'uuid 550e8400' }],
    [example.id, 'ID'],
    ['apikey_01...hmiT', 'ID'],
    [example.created_by.id, 'creator'],
    [`${example.created_by.id.slice(0, 8)}...${example.created_by.id.slice(-4)}`, 'creator'],
    ['wrkspc_7', 'workspace', { workspace_id: 'wrkspc_7' }],
    ['igAA', 'hint'],
    ['…igAA', 'end'],
    ['sk-ven-api03-R2D...igAA', 'hint'],
    ['sk-ven-api03-R2Dx9…AAigAA', 'hint'],
    [`sk-ven-api03-R2D${'a1B2'.repeat(12)}igAA`, 'hint'],
    ['sk_live_a1B2c3D4e5F6g2...wxy2', 'hint', { partial_key_hint: LONG_HINT }],
    ['sk_live_a1B2c3D4e5F6g2h3...0wxy2', 'hint', { partial_key_hint: LONG_HINT }],
    ['sk_live_a1B2c3D4e5F6g2h3I4j5K6l7wxy2', 'hint', { partial_key_hint: LONG_HINT }],
    ['ABCD EFGH 1234 5678 90AB', 'name', { name: 'ABCD EFGH 1234 5678 90AB' }],
    ['devel\u200boper', 'name'],
    ['developer', 'name', { name: 'devel\u00ad\u200boper' }],
    ['CustomerImpor7Production2024', 'name', { name: 'Customer\u200bImpor7Production2024' }],
    ['ck7q2x9y80000l8mh3w5v1z9k', 'ID', { id: 'ck7q2x9y80000l8mh3w5v1z9k' }],
  ];
  for (const [text, by, fields] of found)
    test(`by its ${by} with ${text}`, () => assert.equal(foundBy(text, fields), by));
});

describe('a key is not found', () => {
  const others: [text: string, why: string][] = [
    ['Production', 'its name is another'],
    ['apikey_01Rj2N8SVvo6BePZj99Nhmi', 'its ID is longer'],
    ['AA', 'too little of a hint is given'],
    ['sk-ven', 'the label of all keys is given'],
    ['...igAB', 'its hint ends otherwise'],
    [`sk-ven-api03-R2E${'a1B2'.repeat(12)}igAB`, 'the full key begins and ends otherwise'],
    [`sk-ven-api03-R2E${'a1B2'.repeat(12)}igAA`, 'the full key ends as it does, and begins otherwise'],
    ['sk-ven-api03-', 'what is left of the key is its label'],
    ['9AA', 'what is left of the key is less than the hint shows'],
  ];
  for (const [text, why] of others) test(`when ${why}`, () => assert.equal(foundBy(text), null));
  test('when the full key ends as it does, and the begin of its hint has an underscore', () => {
    const text = `sk-ven-api03-R2E${'a1B2'.repeat(12)}igAA`;
    assert.equal(foundBy(text, { partial_key_hint: 'sk-ven-api03-T_D...igAA' }), null);
  });
});

describe('what is left of a key', () => {
  const KEY = `sk-ven-api03-R2D${'a1B2'.repeat(12)}igAA`;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const found: [left: string, text: string, by: string][] = [
    ['its first 18 characters', `${KEY.slice(0, 18)}…`, 'begin'],
    ['its first 60', `${KEY.slice(0, 60)}...`, 'begin'],
    ['its last 6', `…${KEY.slice(-6)}`, 'end'],
    ['its last 30', `***${KEY.slice(-30)}`, 'end'],
    ['its first 40 in a sentence', `it began with ${KEY.slice(0, 40)}…, I think`, 'begin'],
    ['its last 30 in a sentence', `it ended with …${KEY.slice(-30)}, I think`, 'end'],
    ['all of it, before dots', `it was ${KEY}...`, 'hint'],
    ['all of it, in bold italics', `***${KEY}***`, 'hint'],
    ['all of it, in colours', `token = "\u001b[3;31m${KEY}\u001b[0m"`, 'hint'],
    ['all of it, coloured by grep', `\u001b[01;31m\u001b[Ksk-ven\u001b[m\u001b[K${KEY.slice(6)}`, 'hint'],
    ['all of it, as a link', `\u001b]8;;https://example.com/a1\u001b\\${KEY}\u001b]8;;\u001b\\`, 'hint'],
    [
      'all of it, where a link leads',
      `\u001b]8;id=1;https://x.example/?k=${KEY}\u0007a\u001b]8;;\u0007`,
      'hint',
    ],
    ['all of it, over a backslash at the end of a line', `${KEY.slice(0, 30)}\\\n  ${KEY.slice(30)}`, 'hint'],
    ['all of it, with escapes of a URL', `https://x.example/?k=${KEY.replaceAll('-', '%2D')}&a=1`, 'hint'],
    ['all of it, with escapes of JSON', `{"key":"${KEY.replaceAll('-', '\\u002d')}\\n"}`, 'hint'],
    [
      'all of it, in the header of a Basic authentication',
      `Authorization: Basic ${base64(`me:${KEY}`)}`,
      'hint',
    ],
    ['all of it, in Base64 twice', base64(base64(KEY)), 'hint'],
    ['all of it, with escapes of a script', `key = "${KEY.replaceAll('-', '\\x2d')}"`, 'hint'],
    ['all of it, in Base64 for URLs', base64(`??>${KEY}`).replaceAll('/', '_').replaceAll('+', '-'), 'hint'],
    ['what a log left of it', 'POST /v1 key=sk-ven-api03-R2D[REDACTED]igAA 200', 'hint'],
    ['what a log left of its end', '"authorization": "sk-ven-api03-R2D****9igAA"', 'hint'],
    ['what a log left of its begin', '"authorization": "sk-ven-api03-R2D[REDACTED]"', 'begin'],
  ];
  for (const [left, text, by] of found)
    test(`finds it: ${left}`, () => {
      const question = questionOf(text, ofExample);
      assert.ok(question);
      assert.equal(matcherOf(question)(example)?.by, by);
    });

  const whole: [form: string, text: string][] = [
    ['its first 60 characters', KEY.slice(0, 60)],
    ['its last 30', KEY.slice(-30)],
    ['its last 6', KEY.slice(-6)],
    ['both ends, in two lines', `${KEY.slice(0, 30)}\n  ${KEY.slice(30)}\n`],
    ['all of it, before another end', `${KEY.slice(0, -4)}igAB`],
    ['all of it, before another end in bold', `**${KEY.slice(0, -4)}igAB**`],
    ['all of it, behind another begin', `sk-ven-api03-R2E${KEY.slice(16)}`],
    ['all of it, behind another begin in XML', `<string>${KEY.slice(20)}</string>`],
  ];
  for (const [left, text] of whole)
    test(`finds none where nothing shows that it is cut off: ${left}`, () => {
      const question = questionOf(text, ofExample);
      assert.ok(question);
      assert.equal(matcherOf(question)(example), null);
    });

  test('finds none by less of its end than its hint shows, where that shows no random begin', () => {
    const other = { ...example, partial_key_hint: 'SK-...63f4' };
    const question = questionOf('{"key":"SK-b0071ab17f4"}', knownOf([other]));
    assert.ok(question);
    assert.equal(matcherOf(question)(other), null);
  });

  test('finds none by a begin that has fewer random characters than a hint shows', () => {
    const question = questionOf('sk-ven-api03-R2', ofExample);
    assert.ok(question);
    assert.equal(matcherOf(question)({ ...example, partial_key_hint: 'sk-ven-...igAA', name: 'x' }), null);
  });
});

/** No case and no compatible form is beyond the ideographs of plane 2. */
const LAST_LETTER = 0x2ffff;

describe('what makes no difference in a name', () => {
  const letters = fc.oneof(
    fc.constantFrom(...'aISsſßẞiıİΣσςéÅǅﬁ', 'e\u0301', 'I\u0307', 'ｋ'),
    fc.string({ unit: 'grapheme' }),
  );
  const variants: [name: string, of: (text: string) => string][] = [
    ['upper case', text => text.toUpperCase()],
    ['lower case', text => text.toLowerCase()],
    ['decomposed accents', text => text.normalize('NFD')],
    ['composed accents', text => text.normalize('NFC')],
    ['width and other compatible forms', text => text.normalize('NFKC')],
  ];
  for (const [name, of] of variants) {
    test(`is ${name}, of any letter and of any text`, () => {
      for (let code = 0; code <= LAST_LETTER; code += 1) {
        if (code >= 0xd800 && code <= 0xdfff) continue;
        const letter = String.fromCodePoint(code);
        const variant = of(letter);
        if (variant !== letter) assert.equal(folded(variant), folded(letter), `U+${code.toString(16)}`);
      }
      fc.assert(
        fc.property(fc.array(letters, { maxLength: 12 }), parts => {
          const text = parts.join('').normalize('NFC');
          assert.equal(folded(of(text)), folded(text));
        }),
        { numRuns: 500 },
      );
    });
  }
});
