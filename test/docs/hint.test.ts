/** The hint as docs/issuing.md has it in other languages, against the code's own rule. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { partialKeyHint } from '../../src/shared/record/partial-key-hint.ts';
import { blockOf } from '../support/doc-blocks.ts';
import { newStore } from '../support/opened.ts';
import { rounds } from '../support/rounds.ts';
import { runSql } from '../support/run-sql.ts';

const PAGE = 'docs/issuing.md';

/** Many are around a limit: of the prefix, of what stays hidden, of dots at the end. */
const text = (max: number) =>
  fc
    .string({ unit: fc.constantFrom(...'aZ09_.+/=~-. é\n'), maxLength: max })
    .map(each => each.replace(/[ é\n]/, '.'));
const pairs = fc
  .record({
    prefix: fc.oneof(text(32), fc.constant('')),
    middle: fc.string({ unit: fc.constantFrom(...'aZ09_'), minLength: 14, maxLength: 40 }),
    end: text(6),
    other: fc.boolean(),
  })
  .map(({ prefix, middle, end, other }) => ({
    secret: `${prefix}${middle}${end}`,
    prefix: other ? `x${prefix}` : prefix,
  }));

const cases = [
  { secret: 'sk-acme-api03-R2D2C3POBB8andTheOthers', prefix: 'sk-acme-api03-' },
  { secret: '', prefix: '' },
  { secret: `${'a'.repeat(40)}\n`, prefix: 'a' },
  { secret: `é${'a'.repeat(40)}`, prefix: 'é' },
  ...fc.sample(pairs, rounds(3_000)),
];

const expected = cases.map(({ secret, prefix }) => {
  try {
    return partialKeyHint(secret, prefix);
  } catch (error) {
    assert(error instanceof TypeError);
    return null;
  }
});

describe(`the hint of ${PAGE} is what partialKeyHint makes, and refuses what that refuses`, () => {
  test('in Python', {
    skip: spawnSync('python3', ['--version']).status !== 0 && 'there is no Python',
  }, () => {
    const program = `${blockOf(PAGE, 'import re')}
import json, sys
def hint(case):
    try:
        return partial_key_hint(case["secret"], case["prefix"])
    except ValueError:
        return None
print(json.dumps([hint(case) for case in json.load(sys.stdin)]))`;
    const { stdout, stderr } = spawnSync('python3', ['-c', program], {
      input: JSON.stringify(cases),
      encoding: 'utf8',
    });
    assert.deepEqual(JSON.parse(stdout || stderr), expected);
  });

  test('in PostgreSQL', async t => {
    const { url } = await newStore(t);
    await runSql(url, blockOf(PAGE, 'CREATE FUNCTION'));
    const rows = await runSql(
      url,
      `SELECT partial_key_hint(secret, prefix) AS hint
         FROM ROWS FROM (jsonb_to_recordset('${JSON.stringify(cases)}') AS (secret text, prefix text))
           WITH ORDINALITY AS c(secret, prefix, place)
         ORDER BY place`,
    );
    assert.deepEqual(
      rows.map(({ hint }) => hint),
      expected,
    );
  });

  test('with keys of both kinds', () => {
    const known = expected.filter(each => each !== null).length;
    assert.ok(known > cases.length / 10 && known < (cases.length * 9) / 10, `${known}`);
  });
});
