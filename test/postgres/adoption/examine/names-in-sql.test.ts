import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isPlain, namesIn } from '../../../../src/postgres/adoption/examine/names-in-sql.ts';

describe('the names in an SQL expression', () => {
  const named: [sql: string, names: string[]][] = [
    ['key', ['key']],
    ['"Key"', ['key']],
    [`left("key", 4) || '...' || right(KEY, 4)`, ['left', 'key', 'right']],
    ["\"it's\" || key || 'x'", ["it's", 'key']],
    [`coalesce("name", 'API key')`, ['coalesce', 'name']],
    [`'it''s key' || name`, ['name']],
    [`"a""key" || 'b'`, ['a"key']],
    ['t."key"', ['t', 'key']],
    ['schlüssel', ['schlüssel']],
    ['1e5 + key1', ['e5', 'key1']],
  ];
  for (const [sql, names] of named)
    test(`of ${sql} are ${names}`, () =>
      assert.deepEqual([...new Set(namesIn(sql)?.map(({ name }) => name))], names));

  for (const sql of [
    'U&"k\\0065y"',
    "E'a\\'' || key || '...'",
    '$$a$$ || key',
    "$tag$'$tag$ || key",
    "E'a'\n'\\'' || key || '",
    "'a",
    '"a',
    "a) || ('",
  ])
    test(`of ${sql} can't be told`, () => assert.equal(namesIn(sql), null));

  const members: [sql: string, member: string | null][] = [
    ['t.name', 'name'],
    ['"t" . "Name"', 'name'],
    ['t::text', null],
    ['to_json(t.*)', null],
    ['t', null],
    ['t.to_jsonb', 'to_jsonb'],
  ];
  for (const [sql, member] of members)
    test(`of ${sql}, t comes before ${member}`, () =>
      assert.equal(namesIn(sql)?.find(({ name }) => name === 't')?.member, member));

  for (const sql of [
    "'a\\' || key",
    '🔑 || name',
    't.*',
    't . *',
    `${'a'.repeat(64)} || name`,
    `"${'ä'.repeat(32)}"`,
  ])
    test(`of ${sql} may not tell what it reads`, () => assert.equal(isPlain(sql), false));

  for (const sql of [`regexp_replace("hint", '([.]{2,}|[•]+|…)+', '...')`, 'a\n|| "ä"', `${'a'.repeat(63)}`])
    test(`of ${sql} tell what it reads`, () => assert.equal(isPlain(sql), true));
});
