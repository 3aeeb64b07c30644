import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addedIndexes } from '../../../../src/service/postgres/vendor-table/indexes.ts';
import { parseMapping } from '../../../../src/service/postgres/vendor-table/mapping.ts';
import { parseTableName, tableSql } from '../../../../src/service/postgres/vendor-table/table-name.ts';
import {
  expressionOf,
  mappingJson as viewsMapping,
} from '../../../../src/service/postgres/vendor-table/view.ts';
import { mappingJson, simpleMapping } from '../../../support/adopted/simple-table.ts';

function faultsOf(json: unknown): string[] {
  const parsed = parseMapping(json);
  return 'faults' in parsed ? parsed.faults.map(({ field, problem }) => `${field}: ${problem}`) : [];
}

const withField = (name: string, source: unknown) => ({
  ...mappingJson,
  fields: { ...mappingJson.fields, [name]: source },
});

describe('a mapping', () => {
  test('is the same after it was written and read again', () => {
    const mapping = simpleMapping();
    assert.deepEqual(parseMapping(viewsMapping(mapping)), { mapping });
  });

  test('that is wrong has all its faults told, each with its place and its rule', () => {
    const { id: _, ...fields } = mappingJson.fields;
    const wrong = {
      table: 'apikey',
      tabel: 1,
      fields: {
        ...fields,
        status: { colum: 'enabled' },
        creator: {},
        created_at: { column: '', unit: 'minutes' },
      },
      filters: ['status', 'status'],
    };
    assert.deepEqual(faultsOf(wrong), [
      'tabel: unknown field',
      'table: must be schema.table, each quoted with " where SQL needs it, such as public."ApiKey"',
      'fields.id: is missing: must be an object with one of column, sql and constant',
      'fields.created_at.column: must be the name of a column, as it is, without quotes',
      'fields.created_at.unit: must be one of s, ms, us, ns',
      'fields.status: must be an object with one of column, sql and constant',
      'fields.creator: must be 1 to 63 of a-z 0-9 _, starting with a letter, and no field of the record or column of the table',
      'filters: must be a list of status, workspace_id, created_by_user_id, each at most once',
    ]);
    for (const json of [null, [], 'text', 1])
      assert.deepEqual(faultsOf(json), ['null: must be a JSON object']);
  });

  test('can say that rows without an organization are in no list', () => {
    const source = { sql: 'CASE WHEN deleted IS NULL THEN org END' };
    const parsed = parseMapping(withField('organization_id', { ...source, unlisted: true, note: 'x' }));
    assert('mapping' in parsed);
    assert.deepEqual(parsed.mapping.fields.organization_id, { ...source, unlisted: true });
    assert.deepEqual(parseMapping(viewsMapping(parsed.mapping)), parsed);
  });

  test('gives declared fields, in its order, with their types', () => {
    const given = {
      plan: { column: 'plan', type: 'one-of', values: ['free', 'paid'] },
      last_used_at: { column: 'used', unit: 'ms', note: 'x' },
      uses: { sql: 'count + 1', type: 'integer' },
      region: { constant: 'eu', type: 'text', max_length: 9 },
      expires_at: { sql: 'until', type: 'timestamp' },
    };
    const parsed = parseMapping({ ...mappingJson, fields: { ...given, ...mappingJson.fields } });
    assert('mapping' in parsed, JSON.stringify(parsed));
    assert.deepEqual(
      parsed.mapping.declared.map(({ field: { number, name, type }, source }) => [
        number,
        name,
        type,
        source,
      ]),
      [
        [1, 'plan', { kind: 'one-of', values: ['free', 'paid'] }, { column: 'plan' }],
        [2, 'last_used_at', { kind: 'timestamp' }, { column: 'used', unit: 'ms' }],
        [3, 'uses', { kind: 'integer' }, { sql: 'count + 1' }],
        [4, 'region', { kind: 'text', max_length: 9 }, { constant: 'eu' }],
        [5, 'expires_at', { kind: 'timestamp' }, { sql: 'until' }],
      ],
    );
    assert.deepEqual(parseMapping(viewsMapping(parsed.mapping)), parsed);
  });

  test('has at most 20 declared fields', () => {
    const given = Array.from({ length: 21 }, (_, index) => [`f${index}`, { column: 'c', type: 'boolean' }]);
    const fields = { ...mappingJson.fields, ...Object.fromEntries(given) };
    assert.deepEqual(faultsOf({ ...mappingJson, fields }), [
      'fields: at most 20 besides those of the contract',
    ]);
  });

  const ONE_SOURCE = ': must be an object with one of column, sql and constant';
  for (const [name, source, fault] of [
    ['id', { constant: 'x' }, '.constant: is not the same for each API key: give column or sql'],
    [
      'name',
      { sql: 'name; DROP TABLE apikey' },
      '.sql: must be one SQL expression over the columns of the table',
    ],
    [
      'organization_id',
      { column: 'org', unlisted: 1 },
      '.unlisted: must be true where rows of NULL are meant',
    ],
    [
      'status',
      { column: 's', values: { active: [1], inactive: [1] } },
      '.values: must have lists of texts, ',
    ],
    ['status', { todo: 'no column looks like it' }, ': is still to be decided: no column looks like it'],
    ['expires_at', { todo: 'which?' }, ': is still to be decided: which?'],
    ['expires_at', { column: 'e', type: 'text' }, '.type: must be one of timestamp'],
    ['expires_at', { column: 'e', unit: 'minutes' }, '.unit: must be one of s, ms, us, ns'],
    ['expires_at', { constant: 'soon' }, '.constant: must be an RFC 3339 timestamp such as '],
    ['plan', { column: 'p' }, '.type: is missing: must be one of timestamp, integer, boolean, one-of, text'],
    ['plan', { column: 'p', type: 'integer', unit: 's' }, '.unit: unknown field'],
    [
      'plan',
      { column: 'p', type: 'text', max_length: 201 },
      '.max_length: must be a whole number from 1 to 200',
    ],
    [
      'plan',
      { column: 'p', type: 'one-of', values: { 0: 'a', length: 1 } },
      '.values: must be 1 to 50 different',
    ],
    ['api_key', { column: 'p', type: 'text', max_length: 9 }, ': means a key'],
    ['key_hash', { column: 'p', type: 'text', max_length: 9 }, ': means a key'],
    ['plan', { type: 'boolean' }, ONE_SOURCE],
    ['plan', 'p', ONE_SOURCE],
  ] as const)
    test(`refuses ${JSON.stringify(source)} for ${name}`, () => {
      const [found, ...more] = faultsOf(withField(name, source));
      assert.deepEqual(more, []);
      assert.ok(String(found).startsWith(`fields.${name}${fault}`), String(found));
    });
});

describe('the SQL of a field', () => {
  for (const [name, source, sql] of [
    ['id', { column: 'Id"s' }, '(("Id""s")::text COLLATE "C")'],
    ['workspace_id', { constant: null }, '((NULL)::text COLLATE "C")'],
    ['name', { constant: "it's \\ here" }, `((E'it''s \\\\ here')::text COLLATE "C")`],
    [
      'created_at',
      { column: 'created', unit: 'ms' },
      `coalesce((pg_catalog.to_timestamp("created" / 1000.0)), timestamptz 'infinity')`,
    ],
    [
      'status',
      { column: 's', values: { active: ['on', 1, true], archived: [null] } },
      `((CASE WHEN "s" = 'on' THEN 'active' WHEN "s" = 1 THEN 'active' WHEN "s" = true THEN 'active' WHEN "s" IS NULL THEN 'archived' END)::text COLLATE "C")`,
    ],
  ] as const)
    test(`${name} of ${JSON.stringify(source)}`, () => assert.equal(expressionOf(name, source), sql));
});

describe('the name of a table', () => {
  for (const [text, name] of [
    ['public.apikey', { schema: 'public', table: 'apikey' }],
    ['auth."ApiKey"', { schema: 'auth', table: 'ApiKey' }],
    ['"a.b"."say ""hi"""', { schema: 'a.b', table: 'say "hi"' }],
  ] as const)
    test(`${text} is read as SQL reads it`, () => {
      assert.deepEqual(parseTableName(text), name);
      assert.deepEqual(parseTableName(tableSql(name)), name);
    });
  for (const text of ['apikey', 'a.b.c', 'a."b', '"".""', 'public.apikey; DROP TABLE x', ''])
    test(`${JSON.stringify(text)} is not one`, () => assert.equal(parseTableName(text), undefined));
});

test('the indexes of a mapping are one for each combination of the served filters, but for those that are null in every row, and one for the cursor', () => {
  const names = (...filters: string[]) =>
    addedIndexes(simpleMapping({ filters })).map(({ name }) => name.replace(/_[0-9a-f]{8}$/, ''));
  const unfiltered = ['keyroster_cursor', 'keyroster_listing'];
  assert.deepEqual(names(), unfiltered);
  assert.deepEqual(names('status', 'workspace_id'), [...unfiltered, 'keyroster_listing_status']);
  assert.deepEqual(names('status', 'created_by_user_id'), [
    ...unfiltered,
    'keyroster_listing_created_by',
    'keyroster_listing_status',
    'keyroster_listing_status_created_by',
  ]);
  const [one, other] = ['public.apikey', 'public.keys'].map(table => addedIndexes(simpleMapping({ table })));
  assert.notEqual(one?.[0]?.name, other?.[0]?.name);
});
