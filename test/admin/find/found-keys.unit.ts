import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { FoundKeys, MAX_KEPT } from '../../../src/admin/find/found-keys.ts';
import { mayMiss, questionOf } from '../../../src/admin/find/question.ts';
import { knownOf } from '../../../src/admin/find/roster-forms.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { exampleRecord } from '../../support/example-record.ts';

const keyWith = (partial_key_hint: string, number: number) =>
  ({ ...exampleRecord, id: `apikey_${number}`, name: `Key ${number}`, partial_key_hint }) as ApiKeyRecord;

function find(text: string, keys: readonly ApiKeyRecord[]): FoundKeys {
  const question = questionOf(text, knownOf(keys.slice(0, 100)));
  assert.ok(question);
  const found = new FoundKeys(question);
  found.look(keys);
  return found;
}

describe('of a roster whose keys are', () => {
  const hex = (number: number) => createHash('sha1').update(String(number)).digest('hex');
  const forms: Readonly<Record<string, (number: number) => string>> = {
    hexadecimal: hex,
    'hexadecimal behind a label': number => `acme_${hex(number)}`,
    UUIDs: number => hex(number).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5'),
  };
  for (const [form, keyOf] of Object.entries(forms)) {
    const label = form.includes('label') ? 'acme_'.length : 0;
    const roster = Array.from({ length: 5_000 }, (_, number) => {
      const key = keyOf(number);
      return keyWith(`${key.slice(0, label + 3)}...${key.slice(-4)}`, number);
    });
    test(`${form} each that leaked has a row, and no other one is named`, () => {
      const leaked = Array.from({ length: 300 }, (_, index) => index * 16);
      const strangers = Array.from({ length: 300 }, (_, index) => 10_000 + index);
      const { all, count, maybe } = find([...leaked, ...strangers].map(keyOf).join('\n'), roster);
      assert.deepEqual(
        all.map(({ key, by }) => [key.id, by]),
        leaked.map(number => [`apikey_${number}`, 'hint']),
      );
      assert.deepEqual([count, maybe], [300, 0]);
    });

    test(`${form} none is named by what little is left of another one, nor said to be none`, () => {
      for (const text of [`${keyOf(10_000).slice(0, 20)}…`, `the end was …${keyOf(10_000).slice(-26)}`])
        for (const { count, question } of [find(text, roster)])
          assert.deepEqual([count, mayMiss(question)], [0, true], text);
    });
  }
});

const KEY = `sk-ven-api03-R2D${'a1B2c3D4'.repeat(6)}igAA`;

test('a key that is found by both ends has no guesses, whatever stands behind it', () => {
  const others = Array.from({ length: 600 }, (_, number) => keyWith('sk-ven-api03-R2D...zzzz', number));
  for (const keys of [
    [...others, keyWith('sk-ven-api03-R2D...igAA', 700)],
    [keyWith('sk-ven-api03-R2D...igAA', 700), ...others],
  ]) {
    const { all, count, maybe, byMask } = find(`It was ${KEY}...`, keys);
    assert.deepEqual([all.map(({ key }) => key.id), count, maybe], [['apikey_700'], 1, 0]);
    assert.deepEqual(
      Array.from(byMask.values(), ({ count }) => count),
      [1],
    );
  }
});

test('no guess and no name takes the row of a key that is surely found', () => {
  const sure = keyWith('sk-ven-api03-QQQ...last', 700);
  const guesses = Array.from({ length: 600 }, (_, number) => keyWith('sk-ven-api03-R2D...zzzz', number));
  const names = guesses.map(key => ({ ...key, name: 'the last' }));
  for (const [text, keys] of [
    [`KEY=${KEY.slice(0, 30)}… and sk-ven-api03-QQQ${'a1B2c3D4'.repeat(6)}last`, [...guesses, sure]],
    ['last', [...names, sure]],
  ] as const) {
    const { all, count } = find(text, keys);
    assert.deepEqual([all.length, count, all[0]?.key.id], [MAX_KEPT, 601, 'apikey_700']);
  }
});

/** The key is `sk-ven-api03-FNL…0hNv`. Words around what is left of it change nothing. */
const CUT_OFF: Readonly<Record<string, 'hint' | 'begin' | 'end' | null>> = {
  'log: sk-ven-api03-FNL was leaked': 'begin',
  'key …Q70hNv': 'end',
  'leaked: …Q70hNv': 'end',
  'ERROR auth failed for ...0hNv': 'end',
  '…0hNv and …zzzz': 'end',
  '{"api_key":"…Q70hNv"}': 'end',
  'key sk-***0hNv': 'hint',
  'key sk-ven-api03-…0hNv': 'hint',
  'key sk-ven-api03-F[REDACTED]0hNv': 'hint',
  '{"api_key":"sk-ven-api03-FN***0hNv"}': 'hint',
  'key sk-ven-…': null,
  '[{"RuleID":"key","File":"a.env","StartLine":1,"Secret":"sk-ven-api..."}]': null,
};
for (const [text, by] of Object.entries(CUT_OFF))
  test(`what is left of a key amid other words is found, or nothing can be told: ${text}`, () => {
    const { all, question } = find(text, [
      keyWith('sk-ven-api03-FNL...0hNv', 1),
      keyWith('sk-ven-api03-QQQ...last', 2),
    ]);
    assert.deepEqual(
      all.map(found => [found.key.id, found.by]),
      by ? [['apikey_1', by]] : [],
    );
    assert.equal(mayMiss(question), by !== 'hint');
  });

test('three dots in prose are no key that was cut off', () => {
  const roster = [keyWith('sk-ven-api03-FNL...0hNv', 1)];
  for (const text of ['Loading... ready', 'wait...what', 'the roster of pages 1...20 was read'])
    for (const { count, question } of [find(text, roster)])
      assert.deepEqual([count, mayMiss(question)], [0, false], text);
});

test('a hint with one end, or none, leaves open whether a full key is of it, and an end that is seen before dots is rather none', () => {
  const key = 'fx_ab0123456789abCDefGHq002';
  for (const hint of ['...q002', 'fx_ab…', '…', '****', 'fx_ab...xxxx', '•••• q002', '____...____', '12...~'])
    assert.deepEqual([find(key, [keyWith(hint, 1)]).unseen, hint], [1, hint]);
  for (const hint of ['fx_ab...q003', '"fx_ab...q003" ', 'fx_ab***q003'])
    assert.deepEqual([find(key, [keyWith(hint, 1)]).unseen, hint], [0, hint]);
  const cut = find('dn_live070d3…', [keyWith('dn_live...ddd3', 1)]);
  assert.deepEqual([cut.count, cut.maybe], [1, 1]);
});
test('a hint that shows no end of the key, as adopt proposes it, fits by its begin, and never tells that there is no such key', () => {
  const roster = [keyWith('LePatpPk...____', 1), keyWith('Qx7RbbTz...____', 2)];
  const { all, maybe, unseen } = find('LePatpPkZq8Zq8tQfGh2kLmN5vBx7RsW', roster);
  assert.deepEqual([all.map(({ key, by }) => [key.id, by]), maybe, unseen], [[['apikey_1', 'begin']], 1, 2]);
  assert.equal(find('MmPatpPkZq8Zq8tQfGh2kLmN5vBx7RsW', roster).unseen, 2);
});
