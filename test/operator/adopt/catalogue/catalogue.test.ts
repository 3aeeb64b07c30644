import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { adoptionIn } from '../../../../src/operator/adopt/open-adoption.ts';
import { proposalFor } from '../../../support/adopted/proposals.ts';
import { newRole } from '../../../support/adopted/role.ts';
import { type VendorDatabase, vendorDatabase } from '../../../support/adopted/vendor-database.ts';
import { type Scope, suiteScope } from '../../../support/scope.ts';
import { storeAt } from '../../../support/store-at.ts';

const TABLES = `
  CREATE SCHEMA auth;
  CREATE SCHEMA "My.Schema";
  CREATE TABLE auth."ApiKey" (id text);
  CREATE TABLE "My.Schema"."a ""quoted"" name" (id text);
  CREATE TABLE public.apikey (id text);
  CREATE TABLE public.parted (id text) PARTITION BY LIST (id);
  CREATE TABLE public.part PARTITION OF public.parted DEFAULT;
  CREATE VIEW public.seen AS SELECT 1 AS id;
  CREATE MATERIALIZED VIEW public.kept AS SELECT 1 AS id;
  CREATE TABLE public.parent (id text);
  CREATE TABLE public.child () INHERITS (public.parent);
  CREATE FOREIGN DATA WRAPPER nothing;
  CREATE SERVER nowhere FOREIGN DATA WRAPPER nothing;
  CREATE FOREIGN TABLE public.elsewhere (id int) SERVER nowhere`;

describe('the table that is named', () => {
  const scope = suiteScope();
  let database: VendorDatabase;
  before(async () => {
    database = await vendorDatabase(scope);
    await database.client.query(TABLES);
    await storeAt(database.url).migrate();
  });
  const catalogue = async (table: string) => (await proposalFor(database.url, table)).catalogue;

  const found: [given: string, schema: string, table: string][] = [
    ['public.apikey', 'public', 'apikey'],
    ['Public.ApiKey', 'public', 'apikey'],
    ['auth."ApiKey"', 'auth', 'ApiKey'],
    ['"My.Schema"."a ""quoted"" name"', 'My.Schema', 'a "quoted" name'],
  ];
  test('may be written as SQL would have it', async () => {
    for (const [given, schema, table] of found)
      assert.deepEqual((await catalogue(given)).table, { schema, table }, given);
  });

  test("is refused where there is none, where it is no ordinary table, and where it is Keyroster's own", async () => {
    const advice = ': it must be schema\\.table, each quoted with " where SQL needs it';
    const kinds = 'a view, or a foreign, partitioned or inherited';
    const refused: [given: string, message: RegExp][] = [
      ...['apikey', 'auth.ApiKey', 'a."b', 'a.b.c'].map((given): [string, RegExp] => [
        given,
        new RegExp(`^table: there is no such table${advice}`),
      ]),
      ...['seen', 'kept', 'parent', 'elsewhere', 'parted', 'part'].map((given): [string, RegExp] => [
        `public.${given}`,
        new RegExp(`is not an ordinary table, but ${kinds}`),
      ]),
      ['keyroster.api_keys', /is Keyroster's own$/],
    ];
    for (const [given, message] of refused)
      await assert.rejects(catalogue(given), { name: 'Refused', message }, given);
  });
});

describe('the catalogue of a table', () => {
  const scope = suiteScope();
  let database: VendorDatabase;
  before(async () => {
    database = await vendorDatabase(scope);
    await database.client.query(`
      CREATE TYPE mood AS ENUM ('happy', 'grumpy', 'a "b"');
      CREATE DOMAIN short AS varchar(8) NOT NULL;
      CREATE TABLE t (id bigserial PRIMARY KEY, a text UNIQUE, b short, c mood, d timestamp(3), e jsonb, f numeric(10, 2), g bytea, gone int,
        h text, i text, UNIQUE (h, i));
      ALTER TABLE t DROP gone;
      CREATE UNIQUE INDEX ON t (h) WHERE i IS NULL;
      INSERT INTO t (a, b, c, d, e, f, g) VALUES ('x', 'y', 'happy', now(), '{}', 1, '\\x01'), (repeat('long', 1000), 'z', NULL, NULL, NULL, NULL, NULL)`);
  });
  const catalogue = async (table: string, url = database.url) => (await proposalFor(url, table)).catalogue;

  test('has its columns with their types, keys, labels and a sample of values, of which long ones are cut', async () => {
    const { columns } = await catalogue('public.t');
    const told = columns.map(column => [
      column.name,
      column.type,
      column.kind,
      ...(column.isNullable ? ['null'] : []),
      ...(column.isUnique ? ['unique'] : []),
      ...(column.isInPrimaryKey ? ['primary'] : []),
    ]);
    assert.deepEqual(told, [
      ['id', 'bigint', 'number', 'unique', 'primary'],
      ['a', 'text', 'text', 'null', 'unique'],
      ['b', 'public.short', 'text'],
      ['c', 'public.mood', 'enum', 'null'],
      ['d', 'timestamp(3) without time zone', 'timestamp', 'null'],
      ['e', 'jsonb', 'other', 'null'],
      ['f', 'numeric(10,2)', 'number', 'null'],
      ['g', 'bytea', 'bytes', 'null'],
      ['h', 'text', 'text', 'null'],
      ['i', 'text', 'text', 'null'],
    ]);
    assert.deepEqual(columns.find(({ name }) => name === 'c')?.labels, ['happy', 'grumpy', 'a "b"']);
    const sample = (name: string) => columns.find(column => column.name === name)?.sample;
    assert.deepEqual(sample('g'), ['\\x01', null]);
    assert.deepEqual(
      sample('a')?.map(value => value?.length),
      [1, 300],
    );
  });

  test('has at most 1,000 rows, of all parts of a large table, and the same ones each time', async () => {
    await database.client.query(
      'CREATE TABLE large AS SELECT i::text AS id FROM generate_series(1, 100000) AS i; ANALYZE large',
    );
    const [first, second] = [await catalogue('public.large'), await catalogue('public.large')];
    const ids = first.columns[0]?.sample ?? [];
    assert.equal(first.rows, 100_000);
    assert(ids.length > 500 && ids.length <= 1_000, `${ids.length}`);
    assert(ids.some(id => Number(id) > 80_000) && ids.some(id => Number(id) < 20_000));
    assert.deepEqual(second.columns[0]?.sample, ids);
  });

  test('has no values of columns that the role may not read', async t => {
    const url = await newRole(t as Scope, database, role => `GRANT SELECT (a) ON t TO ${role}`);
    const { columns } = await catalogue('public.t', url);
    assert.equal(columns.length, 10);
    const read = columns.filter(({ sample }) => sample !== null);
    assert.deepEqual(
      read.map(({ name }) => name),
      ['a'],
    );
  });
});

test('a table of your own in the embedded store is refused', async () =>
  assert.rejects(
    adoptionIn(storeAt('sqlite:x.db')),
    /^Refused: adopt: a table of your own has to be in PostgreSQL/,
  ));
