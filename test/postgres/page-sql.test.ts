import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageStatement } from '../../src/postgres/page-sql.ts';
import type { DeclaredField } from '../../src/roster/declared-fields.ts';

test('a page of each database selects its own fields, though those of another have the same numbers', () => {
  const fields: DeclaredField[] = [
    { number: 1, name: 'tier', type: { kind: 'boolean' } },
    { number: 1, name: 'uses', type: { kind: 'integer' } },
    { number: 1, name: 'uses', type: { kind: 'timestamp' } },
  ];
  const statements = fields.map(field => pageStatement([], null, [field]));
  assert.equal(new Set(statements.map(({ name }) => name)).size, fields.length);
  for (const [index, { text }] of statements.entries())
    assert.match(text, new RegExp(String(fields[index]?.name)));
});
