import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { knownOf } from '../../../src/admin/find/known.ts';
import { questionOf } from '../../../src/admin/find/question.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { exampleRecord } from '../../support/example-record.ts';

const known = knownOf([exampleRecord as ApiKeyRecord]);

describe('the results of a scanner', () => {
  const KEYS = ['x', 'y'].map(letter => `sk-ven-api03-R2${letter}${'a1B2c3D4'.repeat(6)}ig${letter}A`);
  const rule = 'generic-api-key';
  const fileOf = (index: number) => `src/${index}.ts`;
  const gitleaks = (Secret: string, index: number) => ({
    RuleID: rule,
    File: fileOf(index),
    StartLine: 3,
    Secret,
  });
  const sarif = (text: string, index: number) => {
    const artifactLocation = { uri: fileOf(index) };
    const region = { startLine: 3, snippet: { text } };
    return { ruleId: rule, locations: [{ physicalLocation: { artifactLocation, region } }] };
  };
  const truffleHog = (Raw: string, index: number) => {
    const Filesystem = { file: fileOf(index), line: 3 };
    return JSON.stringify({ SourceMetadata: { Data: { Filesystem } }, DetectorName: rule, Raw });
  };
  const forms: Readonly<Record<string, (secrets: readonly string[]) => string>> = {
    'gitleaks in JSON': secrets => JSON.stringify(secrets.map(gitleaks), null, 1),
    'gitleaks in SARIF': secrets =>
      JSON.stringify({ version: '2.1.0', runs: [{ results: secrets.map(sarif) }] }),
    TruffleHog: secrets => secrets.map(truffleHog).join('\n'),
  };
  for (const [form, textOf] of Object.entries(forms))
    test(`of ${form} have a mask for each secret, with where it was found`, () => {
      const [first = '', second = ''] = KEYS;
      const question = questionOf(textOf([first, second, first, 'REDACTED']), known);
      assert.ok(question?.kind === 'key');
      assert.deepEqual(
        question.masks.map(({ start, end, places }) => ({ start, end, places })),
        [
          {
            start: 'sk-ven-api03-R2x',
            end: 'igxA',
            places: ['generic-api-key in src/0.ts:3', 'generic-api-key in src/2.ts:3'],
          },
          { start: 'sk-ven-api03-R2y', end: 'igyA', places: ['generic-api-key in src/1.ts:3'] },
        ],
      );
      assert.deepEqual(question.unclear, ['generic-api-key in src/3.ts:3']);
      assert.ok(!JSON.stringify(question).includes('c3D4a1B2'));
    });

  test('that have nothing in the place of the secret are no all-clear', () => {
    const question = questionOf('[{"RuleID":"r","Secret":"","File":"x"}]', known);
    assert.deepEqual(question?.kind === 'key' && question.unclear, ['r in x']);
  });

  test('keep no key that stands in a path or a rule', () => {
    const [secret = ''] = KEYS;
    const of = (Secret: string) => [
      { RuleID: `key-${secret}`, File: `keys/${secret}.txt`, StartLine: secret, Secret },
    ];
    for (const found of [secret, 'REDACTED']) {
      const text = JSON.stringify(questionOf(JSON.stringify(of(found)), known));
      assert.match(text, /key-sk-ven-api03-R2x\.\.\.igxA in keys\/sk-ven-api03-R2x/);
      assert.ok(!text.includes('c3D4a1B2'), text);
    }
  });

  test('are no text that only looks so: it is taken apart as any other', () => {
    for (const text of ['[]', '{}', '[{"Secret":1}]', '{"runs":3}', 'null', '[1,2]', '{"a":']) {
      const question = questionOf(`${text} ${KEYS[0]}`, known);
      assert.ok(question?.kind === 'key' && question.masks.length === 1, text);
      assert.equal(questionOf(text, known)?.kind, 'text', text);
    }
  });
});
