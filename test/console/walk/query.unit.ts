import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { passing } from '../../../src/admin/find/local-filter.ts';
import { DAY_MS } from '../../../src/admin/report/age.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { describe as inWords } from '../../../src/console/walk/describe.ts';
import { localFiltersOf } from '../../../src/console/walk/local-filter.ts';
import {
  filtersOf,
  queryOf,
  type RosterQuery,
  serviceParametersOf,
  textOf,
  withFilter,
} from '../../../src/console/walk/query.ts';
import { exampleRecord } from '../../support/example-record.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1 });
const names =
  'status workspace_id created_by_user_id limit after_id before_id default_workspace creator_type created_from created_before expires_within expired unused_for breaks creator_state team oldest_by unknown';
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
    assert.equal(search, '?status=active&created_before=2025-11-21');
    assert.equal(hash, '#name=Key+1');
  });

  test('asks for a date as its first moment, UTC, and for all else as it is', () => {
    for (const [asked, sent] of [
      ['2025-11-21', '2025-11-21T00:00:00Z'],
      ['2025-11-21T08:30:00.000001Z', '2025-11-21T08:30:00.000001Z'],
      ['yesterday', 'yesterday'],
    ] as const)
      assert.deepEqual(serviceParametersOf({ created_from: asked, created_before: asked }), {
        created_from: sent,
        created_before: sent,
      });
  });

  test('leaves out what is empty, but for the name', () => {
    const url = new URL('?status=&limit=5#key=k1&creator_type=&sort=&name=', CONSOLE);
    assert.deepEqual(queryOf(url), { limit: '5', name: '' });
  });

  test('takes a filter on either side of the #, and tells of one that it does not know', () => {
    for (const [address, query] of [
      ['?name=A#status=active', { name: 'A', status: 'active' }],
      ['?other=1#name=A', { name: 'A', unknown: 'other' }],
      ['#sort=x&key=k1', { unknown: 'sort' }],
    ] as const)
      assert.deepEqual(queryOf(new URL(address, CONSOLE)), query);
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

describe('a query for keys by when they expire or were used', () => {
  test('asks the service for active keys, and for those that are old enough, where nothing narrower is asked for', () => {
    assert.deepEqual(serviceParametersOf({ expired: 'true' }), { status: 'active' });
    assert.deepEqual(serviceParametersOf({ expires_within: '30d', status: 'inactive' }), {
      status: 'inactive',
    });
    const { created_before, ...rest } = serviceParametersOf({
      unused_for: '90d',
      created_before: '9000-01-01',
    });
    assert.deepEqual(rest, { status: 'active' });
    assert(Math.abs(Date.now() - 90 * DAY_MS - Date.parse(String(created_before))) < 60_000);
    for (const kept of ['2020-01-01T00:00:00Z', 'yesterday'])
      assert.equal(serviceParametersOf({ unused_for: '90d', created_before: kept }).created_before, kept);
  });

  test('is told in words', () => {
    assert.equal(inWords({ status: 'active', expires_within: '30d' }), 'active, expiring within 30 days');
    assert.equal(inWords({ expired: 'true', unused_for: '1d' }), 'expired, unused for 1 day');
  });
});

describe('the filters of the console', () => {
  const passes = (query: RosterQuery, record: ApiKeyRecord) =>
    passing([record], localFiltersOf(query)).length === 1;
  const key: ApiKeyRecord = {
    ...exampleRecord,
    type: 'api_key',
    workspace_id: null,
    name: 'A',
  };

  test('take the default workspace, a type of creator and a whole name', () => {
    assert(passes({ default_workspace: 'true', creator_type: key.created_by.type, name: 'A' }, key));
    assert(!passes({ default_workspace: 'true' }, { ...key, workspace_id: 'w' }));
    assert(!passes({ creator_type: 'robot' }, key));
    assert(!passes({ name: 'a' }, key));
    assert(!passes({ name: '' }, key));
    assert(passes({ name: '' }, { ...key, name: '' }));
  });

  test('refuse a value that they can not have, with its name and what it must be', () => {
    assert.throws(() => localFiltersOf({ default_workspace: 'false' }), {
      message: 'default_workspace: must be true',
    });
    assert.throws(() => localFiltersOf({ unknown: 'sort' }), {
      message: 'sort: the console has no such filter',
    });
    assert.throws(() => localFiltersOf({ oldest_by: 'name' }), {
      message: 'oldest_by: must be one of created_at, last_used_at, expires_at',
    });
    assert.throws(() => localFiltersOf({ unused_for: 'long' }), {
      message: /^unused_for: must be a whole number/,
    });
  });
});
