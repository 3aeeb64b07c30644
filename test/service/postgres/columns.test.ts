import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { columnsWith } from '../../../src/service/postgres/columns.ts';
import { fieldNameProblem } from '../../../src/service/roster/writes/new-field.ts';
import { startIssuer } from '../../support/issuer.ts';

const declared = columnsWith([]);

const OF_THE_TABLE = `SELECT attname AS name, typname AS type,
    concat_ws(' ', CASE collname WHEN 'C' THEN 'COLLATE "C"' END, CASE WHEN attnotnull THEN 'NOT NULL' END) AS rule
  FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid LEFT JOIN pg_collation ON pg_collation.oid = attcollation
  WHERE attrelid = 'keyroster.api_keys'::regclass AND attnum > 0 AND NOT attisdropped`;

test('the table has each column with the type that is declared, and beside them the organization, the record and the import', async t => {
  const { query } = await startIssuer(t);
  const { rows } = await query(OF_THE_TABLE);
  const byName = (columns: readonly { name: string; type: string; rule: string }[]) =>
    Object.fromEntries(columns.map(({ name, type, rule }) => [name, `${type} ${rule}`.trim()]));
  assert.deepEqual(byName(rows), {
    ...byName(declared),
    organization_id: 'text COLLATE "C" NOT NULL',
    record: 'text NOT NULL',
    import: 'int8',
  });
  for (const { name } of rows) assert.notEqual(fieldNameProblem(name), null, name);
});

test('the table refuses to change the columns that no write changes, and no other', async t => {
  const { query, insert } = await startIssuer(t);
  await insert({});
  for (const { name, type, changes } of declared) {
    const different: Record<string, string> = {
      created_by_type: 'service_account',
      status: 'inactive',
      partial_key_hint: 'sk...1',
    };
    const value = type === 'timestamptz' ? '2020-01-01Z' : (different[name] ?? 'another');
    const update = query(`UPDATE keyroster.api_keys SET ${name} = $1`, [value]);
    if (changes) await update;
    else await assert.rejects(update, /^error: the ID and the creation of an API key never change$/, name);
  }
});

test('the view of one issuer in the docs has every column, and lets it write what a write may', () => {
  const page = readFileSync(new URL('../../../docs/postgresql.md', import.meta.url), 'utf8');
  const all = declared.map(({ name }) => name);
  const changing = declared.filter(({ changes }) => changes).map(({ name }) => name);
  const namesIn = (list: RegExp) => list.exec(page)?.[1]?.split(', ').sort();
  assert.deepEqual(namesIn(/SELECT organization_id, (id, .*)\n {2}FROM keyroster.api_keys/), all.sort());
  assert.deepEqual(namesIn(/INSERT \((.*)\)\n {2}ON keyroster.org_example_api_keys/), all);
  assert.deepEqual(namesIn(/GRANT SELECT, UPDATE \((.*)\),\n/), changing.sort());
});
