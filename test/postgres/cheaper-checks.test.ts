import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Client } from 'pg';
import { initial } from '../../src/postgres/migrations/0001-initial.ts';
import { connect } from '../support/connect.ts';
import { atEndOf } from '../support/scope.ts';
import { postgres } from '../support/stores.ts';

const COLUMNS = ['id', 'created_by_id', 'workspace_id', 'partial_key_hint'] as const;

/** The rule of the first release. */
function oldCheck(column: string): string {
  const declared = new RegExp(String.raw`\b${column} text[^,]* CHECK \((${column} ~ '.*')\)`);
  const [, rule] =
    declared.exec(initial.statements.join('').split('CREATE TABLE keyroster.api_keys')[1] ?? '') ?? [];
  assert.ok(rule, column);
  return rule;
}

async function newCheck(client: Client, column: string): Promise<string> {
  const { rows } = await client.query(
    `SELECT pg_get_expr(conbin, conrelid) AS rule, convalidated FROM pg_constraint
     WHERE conrelid = 'keyroster.api_keys'::regclass AND conname = 'api_keys_${column}_check'`,
  );
  assert.equal(rows[0].convalidated, true);
  assert.notEqual(rows[0].rule, oldCheck(column));
  return rows[0].rule;
}

/** Near the edges of the rules: of the lengths, of the place of the dots, and of the characters. */
const odd = fc.constantFrom(
  '.',
  '..',
  '...',
  '....',
  ' ',
  '\n',
  'ä',
  '\u212A',
  '\u{1F511}',
  '"',
  '/',
  '~',
  '=',
  '+',
  '-',
  '_',
);
const letters = (max: number) => fc.nat({ max }).map(length => 'aZ09'.repeat(max).slice(0, length));
const text = fc.oneof(
  letters(131),
  fc.tuple(letters(34), fc.constantFrom('...', '..', '....'), letters(10)).map(parts => parts.join('')),
  fc.array(fc.oneof(odd, letters(36), letters(3)), { maxLength: 6 }).map(parts => parts.join('')),
  fc.string({ unit: fc.constantFrom(...'.ab-'), maxLength: 46 }),
  fc.string({ unit: 'grapheme', maxLength: 140 }).filter(each => !each.includes('\0') && each.isWellFormed()),
);
/** Each character, as PostgreSQL stores it, alone and where a rule takes it. */
const characters = Array.from({ length: 0x24f }, (_, code) => String.fromCodePoint(code + 1)).flatMap(one => [
  one,
  `${one}...a`,
  `a...${one}`,
  `a...a${one}`,
]);

test('the rules for IDs and hints take exactly the texts that those of the first release took', async t => {
  const store = await postgres.create();
  atEndOf(t, () => store.remove());
  const client = await connect(t, store.url);
  const rules: { column: string; was: string; is: string }[] = [];
  for (const column of COLUMNS)
    rules.push({ column, was: oldCheck(column), is: await newCheck(client, column) });
  const collated = (column: string) => (column === 'partial_key_hint' ? '"default"' : '"C"');
  const taken = { true: 0, false: 0 };
  const compare = async (texts: readonly (string | null)[]) => {
    for (const { column, was, is } of rules) {
      const { rows } = await client.query(
        `SELECT ${column} AS text, (${was})::text AS was, (${is})::text AS is
         FROM (SELECT value COLLATE ${collated(column)} AS ${column} FROM unnest($1::text[]) AS value) AS given`,
        [texts],
      );
      assert.equal(rows.length, texts.length);
      for (const row of rows) {
        assert.equal(row.is, row.was, `${column}: ${JSON.stringify(row.text)}`);
        if (row.was !== null) taken[row.was as 'true' | 'false'] += 1;
      }
    }
  };
  await compare([null, '', ...characters]);
  await fc.assert(fc.asyncProperty(fc.array(text, { minLength: 200, maxLength: 200 }), compare), {
    numRuns: 40,
  });
  assert.ok(taken.true > 2000 && taken.false > 2000, JSON.stringify(taken));
});
