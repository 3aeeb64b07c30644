import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import { renderApiKey } from '../../../src/service/roster/api-key.ts';
import { parseApiKey } from '../../../src/service/roster/parse-api-key.ts';
import { apiKey } from '../../support/arbitraries.ts';
import { exampleRecord as example } from '../../support/example-record.ts';
import { VENDOR } from '../../support/roster.ts';

const FULL_KEY = `sk-ven-api03-R2D${'x7'.repeat(40)}igAA`;

const invalidFields = (record: unknown) => {
  const parsed = parseApiKey(record);
  return 'faults' in parsed ? parsed.faults.map(fault => fault.field) : [];
};

describe('an API key record', () => {
  test('is parsed and rendered as docs/api.md shows it, field by field', () => {
    const parsed = parseApiKey(example);
    assert.ok('key' in parsed);
    assert.equal(renderApiKey(parsed.key), JSON.stringify(example));
  });

  test('is the same after rendering and parsing, for any key', () => {
    fc.assert(
      fc.property(apiKey(), key => {
        const parsed = parseApiKey(JSON.parse(renderApiKey(key)));
        // A generated hint may happen to mask a generated ID, which is rightly refused.
        if ('faults' in parsed) assert.match(parsed.faults[0]?.problem ?? '', /holds the key/);
        else assert.deepEqual(parsed.key, key);
      }),
    );
  });

  const refused: [change: object, field: string][] = [
    [{ key: FULL_KEY }, 'key'],
    [{ api_key_hash: 'x' }, 'api_key_hash'],
    [{ created_by: { ...example.created_by, email: 'x' } }, 'created_by.email'],
    [{ [FULL_KEY]: 1 }, '(unprintable)'],
    [{ id: '' }, 'id'],
    [{ id: 'a b' }, 'id'],
    [{ id: 17 }, 'id'],
    [{ type: 'token' }, 'type'],
    [{ name: undefined }, 'name'],
    [{ name: '\ud800' }, 'name'],
    [{ name: '名'.repeat(1001) }, 'name'],
    [{ created_at: '2024-10-30' }, 'created_at'],
    [{ created_at: 1_700_000_000 }, 'created_at'],
    [{ created_by: null }, 'created_by'],
    [{ created_by: 'user_a' }, 'created_by'],
    [{ created_by: { id: 'user_1' } }, 'created_by.type'],
    [{ created_by: { id: 'user_1', type: 'robot' } }, 'created_by.type'],
    [{ created_by: { id: 'user 1', type: 'user' } }, 'created_by.id'],
    [{ partial_key_hint: FULL_KEY }, 'partial_key_hint'],
    [{ status: 'deleted' }, 'status'],
    [{ workspace_id: '' }, 'workspace_id'],
    [{ workspace_id: undefined }, 'workspace_id'],
    [{ name: `old: ${FULL_KEY}` }, 'name'],
    [{ id: FULL_KEY }, 'id'],
    [{ workspace_id: FULL_KEY }, 'workspace_id'],
    [{ created_by: { id: FULL_KEY, type: 'user' } }, 'created_by.id'],
    [{ name: AdminKeySecret.issue(VENDOR).reveal() }, 'name'],
  ];
  test('is refused by the field that is wrong', () => {
    for (const [change, field] of refused)
      assert.deepEqual(invalidFields({ ...example, ...change }), [field], JSON.stringify(change));
    for (const value of [null, [], 'text', 7, [example]]) assert.deepEqual(invalidFields(value), [null]);
  });

  test('reports all errors at once', () => {
    assert.deepEqual(invalidFields({ ...example, id: '', status: 'x', extra: 1 }), ['extra', 'id', 'status']);
  });

  test('never repeats a value in an error', () => {
    const wrong = { partial_key_hint: FULL_KEY, id: FULL_KEY, key: FULL_KEY, [FULL_KEY]: 1 };
    assert.ok(!JSON.stringify(parseApiKey({ ...example, ...wrong })).includes('x7x7'));
  });

  test('may have a name of 1,000 characters, in any script, or an empty one', () => {
    for (const name of ['', 'a'.repeat(1000), '🚀'.repeat(1000), '名前', 'تجربة', 'a\nb"\\']) {
      assert.deepEqual(invalidFields({ ...example, name }), []);
    }
  });
});
