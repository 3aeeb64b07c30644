/** The hint as docs/issuing.md has it in other languages, against the code's own rule. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { partialKeyHint } from '../../src/shared/record/partial-key-hint.ts';
import { blockOf } from '../support/doc-blocks.ts';
import { newStore } from '../support/opened.ts';
import { rounds } from '../support/rounds.ts';
import { runSql } from '../support/run-sql.ts';

/** Many are at a limit: of the prefix, of what stays hidden, of dots at the end. Many are refused. */
const text = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'aaaZ09_+/=~-..é\n'), minLength: maxLength - 6, maxLength });
const texts = fc.tuple(fc.constantFrom('', 'sk-'), fc.oneof(text(6), text(30)), text(24), text(6));
const cases = fc
  .sample(texts, rounds(3_000))
  .flatMap(([start, more, middle, end]) =>
    [start, start + more, `x${start}`].map(prefix => ({ secret: start + more + middle + end, prefix })),
  );
const expected = cases.map(({ secret, prefix }) => {
  try {
    return partialKeyHint(secret, prefix);
  } catch {
    return null;
  }
});

test('the hint in Python is that of partialKeyHint, or refused as it is', t => {
  if (spawnSync('python3', ['--version']).status !== 0) return t.skip('there is no Python on this machine');
  const program = `${blockOf('docs/issuing.md', 'import re')}
import json, sys
def hint(case):
    try: return partial_key_hint(**case)
    except ValueError: return None
print(json.dumps([hint(case) for case in json.load(sys.stdin)]))`;
  const { stdout, stderr } = spawnSync('python3', ['-c', program], { input: JSON.stringify(cases) });
  assert.deepEqual(JSON.parse(`${stdout}` || `${stderr}`), expected);
});

test('the hint in PostgreSQL is that of partialKeyHint, or NULL where that refuses', async t => {
  const { url } = await newStore(t);
  await runSql(url, blockOf('docs/issuing.md', 'CREATE FUNCTION'));
  const rows = `jsonb_to_recordset('${JSON.stringify(cases)}') AS (secret text, prefix text)`;
  const numbered = `ROWS FROM (${rows}) WITH ORDINALITY AS c(secret, prefix, n) ORDER BY n`;
  const found = await runSql(url, `SELECT partial_key_hint(secret, prefix) AS hint FROM ${numbered}`);
  assert.deepEqual(
    Array.from(found, ({ hint }) => hint),
    expected,
  );
});
