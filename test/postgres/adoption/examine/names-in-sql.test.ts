import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { namesIn } from '../../../../src/postgres/adoption/examine/names-in-sql.ts';

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
    test(`of ${sql} are ${names}`, () => assert.deepEqual([...(namesIn(sql)?.names ?? [])], names));

  for (const sql of ['U&"k\\0065y"', "E'a\\'' || key || '...'", '$$a$$ || key', "$tag$'$tag$ || key"])
    test(`of ${sql} can't be told`, () => assert.equal(namesIn(sql), null));

  const whole: [sql: string, names: string[]][] = [
    ['t.name', ['name']],
    ['"t" . "name"', ['name']],
    ['t::text', ['t', 'text']],
    ['to_json(t.*)', ['to_json', 't']],
    ['t', ['t']],
  ];
  for (const [sql, names] of whole)
    test(`of ${sql} stand by themselves: ${names}`, () =>
      assert.deepEqual([...(namesIn(sql)?.whole ?? [])], names));
});
