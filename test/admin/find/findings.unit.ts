import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { maskText, shownMasks } from '../../../src/admin/find/mask.ts';
import { mayMiss, questionOf } from '../../../src/admin/find/question.ts';
import { knownOf } from '../../../src/admin/find/roster-forms.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { exampleRecord } from '../../support/example-record.ts';

const known = knownOf([exampleRecord as ApiKeyRecord]);

describe('the results of a scanner', () => {
  const KEYS = ['x', 'y'].map(letter => `sk-ven-api03-R2${letter}${'a1B2c3D4'.repeat(6)}ig${letter}A`);
  const rule = 'generic-api-key';
  const fileOf = (index: number) => `src/${index}.ts`;
  const placeOf = (index: number) => ({ rule, file: fileOf(index), line: 3 });
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
  const kingfisher = (snippet: string, index: number) => ({
    rule: { name: rule, id: rule },
    finding: { snippet, fingerprint: '16963024511077802155', line: 3, path: fileOf(index) },
  });
  const forms: Readonly<Record<string, (secrets: readonly string[]) => string>> = {
    'gitleaks in JSON': secrets => JSON.stringify(secrets.map(gitleaks), null, 1),
    'gitleaks in SARIF': secrets =>
      JSON.stringify({ version: '2.1.0', runs: [{ results: secrets.map(sarif) }] }),
    TruffleHog: secrets => secrets.map(truffleHog).join('\n'),
    'TruffleHog between lines of its log': secrets =>
      [
        'TruffleHog. Unearth your secrets.',
        '{"level":"info-0","ts":"2026-11-01T00:00:00Z","logger":"trufflehog","msg":"running source"}',
        ...secrets.map(truffleHog),
        '2026-11-01T00:00:01Z info finished 9f1c2d3e4b5a69788796a5b4c3d2e1f09f1c2d3e',
      ].join('\n'),
  };
  for (const [form, textOf] of Object.entries(forms))
    test(`of ${form} have a mask for each secret, with where it was found`, () => {
      const [first = '', second = ''] = KEYS;
      const question = questionOf(textOf([first, second, first, 'REDACTED']), known);
      assert.ok(question?.kind === 'key');
      assert.deepEqual(
        shownMasks(question.masks).map(({ start, end, places }) => ({ start, end, places })),
        [
          {
            start: 'sk-ven-api03-R2x',
            end: 'igxA',
            places: [placeOf(0), placeOf(2)],
          },
          { start: 'sk-ven-api03-R2y', end: 'igyA', places: [placeOf(1)] },
        ],
      );
      assert.deepEqual(question.unclear, [placeOf(3)]);
      assert.ok(!JSON.stringify(question).includes('c3D4a1B2'));
    });

  test('that have nothing in the place of the secret are no all-clear', () => {
    const question = questionOf('[{"RuleID":"r","Secret":"","File":"x"}]', known);
    assert.deepEqual(question?.kind === 'key' && question.unclear, [{ rule: 'r', file: 'x', line: null }]);
  });

  const HASH = 'b27d555733a08d5433c7df0ca67392f375a4e820';
  const untold: Readonly<Record<string, string>> = {
    'a baseline of detect-secrets': JSON.stringify({
      plugins_used: [{ name: 'HexHighEntropyString', limit: 3.0 }],
      results: {
        'a.py': [{ type: 'Secret Keyword', filename: 'a.py', hashed_secret: HASH, line_number: 12 }],
      },
    }),
    'the hook of detect-secrets':
      'ERROR: Potential secrets!\n\nSecret Type: Secret Keyword\nLocation: a.env:1',
    'kingfisher, redacted': JSON.stringify({
      findings: [{ ...kingfisher('[REDACTED:bbe452d1]', 1), git_metadata: { commit: { id: HASH } } }],
    }),
    'kingfisher for people': `RULE => [RULE]\n |Finding.........: [REDACTED:14b6140b]\n |Commit..........: ${HASH}`,
    'gitleaks in CSV, redacted': `RuleID,Commit,File,Secret\nkey,${HASH},a.env,REDACTED`,
    'TruffleHog for people': `Found unverified result\nDetector Type: Custom\nRaw result: ***\nCommit: ${HASH}`,
    ggshield: JSON.stringify({
      entities_with_incidents: [
        { incidents: [{ ignore_sha: HASH, detector: 'Generic', occurrences: [{ match: 'sk-*****AA' }] }] },
      ],
    }),
    'SARIF without the text': JSON.stringify({
      runs: [{ results: [{ ruleId: 'key', partialFingerprints: { 'secret/v1': HASH } }] }],
    }),
    "GitHub's alerts with hidden secrets": JSON.stringify([{ secret_type: 'key', secret: null, number: 2 }]),
  };
  for (const [form, report] of Object.entries(untold))
    test(`of which nothing can be told are no all-clear, and nothing in them is taken for a key: ${form}`, () => {
      const question = questionOf(report, known);
      assert.ok(question?.kind === 'key' && mayMiss(question));
      assert.deepEqual(shownMasks(question.masks), []);
    });

  test('of a form that is not known have a mask for each key of the roster', () => {
    for (const report of [
      `RuleID,Commit,File,Secret\nkey,${HASH},a.env,${KEYS[0]}`,
      JSON.stringify({ findings: [kingfisher(KEYS[0] ?? '', 1)] }),
      JSON.stringify(kingfisher(KEYS[0] ?? '', 1)),
      JSON.stringify([{ secret_type: 'key', secret: KEYS[0], number: 2 }]),
    ]) {
      const question = questionOf(report, known);
      assert.ok(question?.kind === 'key' && mayMiss(question), report);
      assert.deepEqual(shownMasks(question.masks).map(maskText), ['sk-ven-api03-R2x...igxA']);
    }
  });

  test('are no name of one line', () =>
    assert.equal(questionOf('Secret type: detector name', known)?.kind, 'text'));

  test('keep no key that stands in a path or a rule', () => {
    const [secret = ''] = KEYS;
    const of = (Secret: string) => [
      { RuleID: `key-${secret}`, File: `keys/${secret}.txt`, StartLine: secret, Secret },
    ];
    for (const found of [secret, 'REDACTED']) {
      const text = JSON.stringify(questionOf(JSON.stringify(of(found)), known));
      assert.match(text, /key-sk-ven-api03-R2x\.\.\.igxA","file":"keys\/sk-ven-api03-R2x/);
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
