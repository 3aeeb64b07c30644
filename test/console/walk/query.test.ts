import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { describe as inWords } from '../../../src/console/walk/describe.ts';
import { AddressError, localFilterOf } from '../../../src/console/walk/local-filter.ts';
import { filtersOf, queryOf, type RosterQuery, textOf, withFilter } from '../../../src/console/walk/query.ts';
import { exampleRecord } from '../../support/example-record.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1 });
const names =
  'status workspace_id created_by_user_id limit after_id before_id default_workspace creator_type created_from created_before';
const texts = Object.fromEntries(names.split(' ').map(name => [name, text]));
const queries: fc.Arbitrary<RosterQuery> = fc.record(
  { ...texts, name: fc.string({ unit: 'grapheme' }) },
  { requiredKeys: [], noNullPrototype: true },
);
const CONSOLE = 'https://keys.example.com/console/';

describe('a query', () => {
  test('is the same after it was in the address, whatever its values are', () => {
    fc.assert(
      fc.property(queries, query => {
        assert.deepEqual(queryOf(new URL(textOf(query), CONSOLE)), query);
      }),
    );
  });

  test('sends the service only what the operation filters by', () => {
    const query = { status: 'active', name: 'Key 1', created_before: '2025-11-21' };
    const { search, hash } = new URL(textOf(query), CONSOLE);
    assert.equal(search, '?status=active');
    assert.equal(hash, '#created_before=2025-11-21&name=Key+1');
  });

  test('leaves out what it does not know, and what is empty, but for the name', () => {
    const url = new URL('?status=&other=1&limit=5#key=k1&creator_type=&name=', CONSOLE);
    assert.deepEqual(queryOf(url), { limit: '5', name: '' });
  });

  test('has its filters without the cursor and the limit, and without one that is set to nothing', () => {
    const query = { limit: '5', after_id: 'k1', status: 'active', name: '' };
    assert.deepEqual(filtersOf(query), [
      ['status', 'active'],
      ['name', ''],
    ]);
    assert.deepEqual(withFilter({ status: 'active', name: '' }, 'name', ''), { status: 'active' });
    assert.deepEqual(withFilter({ status: 'active', name: '' }, 'status', ''), { name: '' });
  });

  test('is told in words', () => {
    for (const [query, words] of [
      [{}, ''],
      [
        { status: 'active', created_before: '2025-11-21T00:00:00.000000Z' },
        'active, created before 2025-11-21',
      ],
      [
        { creator_type: 'service_account', created_from: '2025-11-21T08:30:00.250000Z' },
        'created by a service account, created from 2025-11-21 08:30:00 UTC on',
      ],
      [{ name: '' }, 'without a name'],
      [{ workspace_id: 'w1', name: 'A' }, 'in w1, named “A”'],
    ] as const)
      assert.equal(inWords(query), words);
  });
});

describe('the filters of the console', () => {
  const key: ApiKeyRecord = {
    ...exampleRecord,
    type: 'api_key',
    created_at: '2025-11-21T08:30:00.000001Z',
    workspace_id: null,
    name: 'A',
  };

  test('take a date as its first moment, UTC, and a time to the microsecond', () => {
    for (const [filter, expected] of [
      [{ created_before: '2025-11-21' }, false],
      [{ created_from: '2025-11-21' }, true],
      [{ created_before: '2025-11-21T08:30:00.000001Z' }, false],
      [{ created_from: '2025-11-21T08:30:00.000001Z' }, true],
      [{ created_before: '2025-11-21T08:30:00.000002Z' }, true],
      [{ created_from: '2025-11-21T08:30:00.000002Z' }, false],
    ] as const)
      assert.equal(localFilterOf(filter).matches(key), expected, JSON.stringify(filter));
  });

  test('take the default workspace, a type of creator and a whole name', () => {
    assert(
      localFilterOf({ default_workspace: 'true', creator_type: key.created_by.type, name: 'A' }).matches(key),
    );
    assert(!localFilterOf({ default_workspace: 'true' }).matches({ ...key, workspace_id: 'w' }));
    assert(!localFilterOf({ creator_type: 'robot' }).matches(key));
    assert(!localFilterOf({ name: 'a' }).matches(key));
    assert(!localFilterOf({ name: '' }).matches(key));
    assert(localFilterOf({ name: '' }).matches({ ...key, name: '' }));
  });

  test('refuse a value that they can not have, with its name and what it must be', () => {
    for (const [query, message] of [
      [{ created_before: 'yesterday' }, /^created_before: must be a date such as /],
      [{ created_from: '2025-02-30' }, /^created_from: must be a date such as /],
      [{ default_workspace: 'false' }, /^default_workspace: must be true$/],
    ] as const)
      assert.throws(() => localFilterOf(query), { name: AddressError.name, message });
  });
});
