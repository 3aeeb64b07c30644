import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { examine } from '../../../support/adopted/examine.ts';
import { openFields, type ProposedFile, proposalFor, sourcesOf } from '../../../support/adopted/proposals.ts';
import { type VendorDatabase, vendorDatabase } from '../../../support/adopted/vendor-database.ts';
import { suiteScope } from '../../../support/scope.ts';

/** A key as its vendor stores it, of which no message and no file may have a part. */
const KEY = "encode(sha256(i::text::bytea), 'base64')";

/** What the tables of test/support/adopted don't have. */
const EXAMPLE = {
  table: 'public.keys',
  sql: `CREATE TYPE env AS ENUM ('live', 'test');
      CREATE TABLE public.keys (key_id text PRIMARY KEY, team_id integer NOT NULL, key_name varchar(40) NOT NULL, token bytea NOT NULL,
        obfuscated_value text NOT NULL, created bigint NOT NULL, created_by integer, state text NOT NULL, deleted_at bigint NOT NULL DEFAULT 0,
        environment env NOT NULL);
      INSERT INTO public.keys SELECT 'key_' || i, i % 4, 'Key', sha256(i::text::bytea), '••••' || i, 1730332707427 + i, NULL,
        CASE i % 2 WHEN 0 THEN 'Active' ELSE 'Disabled' END, 0, 'live' FROM generate_series(1, 20) AS i`,
  sources: {
    organization_id: { column: 'team_id' },
    id: { column: 'key_id' },
    name: { column: 'key_name' },
    created_at: { column: 'created', unit: 'ms' },
    created_by_id: { sql: `coalesce("created_by"::text, 'unknown')` },
    created_by_type: { constant: 'user' },
    partial_key_hint: {
      sql: `'____' || regexp_replace("obfuscated_value", '([.]{2,}|[*]+|[•]+|…)+', '...')`,
    },
    status: {
      sql: `CASE WHEN ("deleted_at" <> 0) THEN 'archived' WHEN "state" IN ('Disabled') THEN 'inactive' WHEN "state" IN ('Active') THEN 'active' END`,
    },
    workspace_id: { sql: `CASE "environment" WHEN 'live' THEN 'live' WHEN 'test' THEN 'test' END` },
  },
  filters: ['status', 'workspace_id', 'created_by_user_id'],
  open: ['organization_id', 'status', 'workspace_id'],
  keyColumns: ['token'],
};

describe('the proposal for a table', () => {
  const scope = suiteScope();
  let database: VendorDatabase;
  before(async () => {
    database = await vendorDatabase(scope);
    await database.client.query(EXAMPLE.sql);
    await database.client.query(`CREATE TABLE hotels (id text PRIMARY KEY); INSERT INTO hotels VALUES ('h')`);
  });
  const proposed = (table: string) => proposalFor(database.url, table);
  const proposedWith = async (table: string, sql: string) => {
    await database.client.query(sql);
    return proposed(table);
  };

  test('is right for one with milliseconds, a status of text, soft deletion as a number, and an environment as an enum', async () => {
    const proposal = await proposed(EXAMPLE.table);
    assert.deepEqual(sourcesOf(proposal), EXAMPLE.sources);
    assert.deepEqual(proposal.file.filters, EXAMPLE.filters);
    assert.deepEqual(openFields(proposal.choices), EXAMPLE.open);
    assert.deepEqual(
      proposal.keyColumns.map(({ name }) => name),
      EXAMPLE.keyColumns,
    );
    assert.deepEqual(await examine(database.url, proposal.file), { faults: [], warnings: [] });
    assert.doesNotMatch(JSON.stringify(proposal), /Key \d|[\da-f]{16}/, 'a value of the table');
  });

  test('says what is to do for each field that the table seems not to have', async () => {
    const { file } = await proposedWith('bare', 'CREATE TABLE bare (number integer, "key" text)');
    const open = Object.entries(file.fields).filter(([, source]) => source.todo !== undefined);
    assert.deepEqual(
      open.map(([name]) => name),
      ['organization_id', 'id', 'name', 'created_at', 'created_by_id', 'partial_key_hint', 'status'],
    );
    assert.deepEqual(file.filters, ['status', 'workspace_id', 'created_by_user_id']);
    assert.match(
      file.fields.id.todo ?? '',
      /add one: ALTER TABLE public\.bare ADD COLUMN public_id uuid NOT NULL DEFAULT gen_random_uuid\(\) UNIQUE$/,
    );
    assert.match(
      file.fields.partial_key_hint.todo ?? '',
      /"____\.\.\.____"\}; where only whole keys are kept, add/,
    );
  });

  const organizations: [columns: string, row: string, source: unknown, open: boolean, why: RegExp][] = [
    [
      'tenant_id text',
      'NULL',
      { column: 'tenant_id' },
      true,
      /NULL in 100 % of the sample: those keys are in no list$/,
    ],
    [
      '"userId" text NOT NULL, "propertyRef" text REFERENCES hotels NOT NULL',
      `'u', 'h'`,
      { column: 'propertyRef' },
      true,
      /^it refers to hotels$/,
    ],
    [
      'org_id text, user_id text NOT NULL',
      `'o', 'u'`,
      { column: 'user_id' },
      true,
      /one organization; org_id may be NULL$/,
    ],
  ];
  for (const [columns, row, source, open, why] of organizations) {
    test(`takes the organization from ${columns} such as ${row}, and ${open ? 'is not sure' : 'is sure'}`, async () => {
      const sql = `DROP TABLE IF EXISTS o; CREATE TABLE o (${columns}); INSERT INTO o VALUES (${row})`;
      const { choices } = await proposedWith('o', sql);
      assert.deepEqual(choices.organization_id.source, source);
      assert.equal(choices.organization_id.sure, !open);
      assert.match(choices.organization_id.why, why);
    });
  }

  test('takes a part of the primary key for the ID, with the organization, and is not sure', async () => {
    const sql = 'CREATE TABLE i (account_id text, number integer, PRIMARY KEY (account_id, number))';
    const { id } = (await proposedWith('i', sql)).choices;
    assert.deepEqual([id.source, id.sure], [{ column: 'number' }, false]);
    assert.match(id.why, /^the primary key, with the organization$/);
  });

  const statuses: [what: string, column: string, rows: string, source: unknown][] = [
    [
      'an enum with an unknown label, which is named',
      `status mood`,
      `('active')`,
      {
        column: 'status',
        values: { active: ['active'], inactive: [], archived: [] },
        todo: 'of the column status it isn\'t known what grumpy means: add each to the status that it means, and delete this "todo"',
      },
    ],
    [
      'a text with a key, which is not named',
      'status text',
      `('active'), ('x'), ('y'), ('z'), ('4eC39HqLyjWDarjtT1zdp7dc')`,
      {
        column: 'status',
        values: { active: ['active'], inactive: [], archived: [] },
        todo: 'of the column status it isn\'t known what 4 values mean: add each to the status that it means, and delete this "todo"',
      },
    ],
  ];
  for (const [what, column, rows, source] of statuses) {
    test(`takes the status from ${what}`, async () => {
      await database.client.query(
        `DROP TABLE IF EXISTS s; DROP TYPE IF EXISTS mood; CREATE TYPE mood AS ENUM ('active', 'grumpy')`,
      );
      const proposal = await proposedWith('s', `CREATE TABLE s (${column}); INSERT INTO s VALUES ${rows}`);
      assert.deepEqual(sourcesOf(proposal).status, source);
    });
  }

  const times: [type: string, value: string, source: unknown][] = [
    ['timestamptz NOT NULL', 'now()', { column: 'created' }],
    ['timestamptz', 'now()', { sql: `coalesce("created", timestamptz '1970-01-01 00:00:00+00')` }],
    [
      'bigint',
      '1730332707427',
      {
        sql: `coalesce(to_timestamp("created" / 1000.0), timestamptz '1970-01-01 00:00:00+00')`,
      },
    ],
    [
      'integer',
      '17',
      {
        column: 'created',
        unit: 's',
        todo: 'its values are not all of one unit: s, ms, us or ns since 1970? Set "unit" and delete this "todo"',
      },
    ],
  ];
  for (const [type, value, source] of times) {
    test(`reads the time of creation from ${type}, such as ${value}`, async () => {
      const sql = `DROP TABLE IF EXISTS c; CREATE TABLE c (created ${type}); INSERT INTO c VALUES (${value})`;
      assert.deepEqual(sourcesOf(await proposedWith('c', sql)).created_at, source);
    });
  }

  const hints: [columns: string, row: string, source: unknown][] = [
    [
      'hint text NOT NULL',
      `'sk-ab…wxyz'`,
      { sql: `regexp_replace("hint", '([.]{2,}|[*]+|[•]+|…)+', '...')` },
    ],
    ['"lastFour" char(4)', `'wxyz'`, { sql: `'____' || '...' || coalesce("lastFour", '____')` }],
    ['key_name text NOT NULL, key_alias text', `'sk-...abcd', 'Billing'`, { column: 'key_name' }],
  ];
  for (const [columns, row, source] of hints) {
    test(`makes a hint of ${columns} such as ${row}`, async () => {
      const sql = `DROP TABLE IF EXISTS h; CREATE TABLE h (${columns}); INSERT INTO h VALUES (${row})`;
      const proposal = await proposedWith('h', sql);
      assert.deepEqual(sourcesOf(proposal).partial_key_hint, source);
      assert.equal(proposal.choices.partial_key_hint.sure, true);
    });
  }

  test('never takes a column of full keys or of hashes, whatever it is called', async () => {
    const random = `'acme_live_' || ${KEY}`;
    const { file, keyColumns }: ProposedFile = await proposedWith(
      'k',
      `CREATE TABLE k (id text PRIMARY KEY, name text, hint text, prefix text, api_key uuid, "tokenHash" bytea, label text);
       INSERT INTO k SELECT md5('id' || i), ${random}, ${random}, md5(i::text), gen_random_uuid(), sha256(i::text::bytea), 'Key'
       FROM generate_series(1, 9) AS i`,
    );
    assert.deepEqual(
      keyColumns.map(({ name, why }) => `${name}: ${why}`),
      [
        'name: its values',
        'hint: its values',
        'prefix: its values',
        'api_key: its name',
        'tokenHash: its name',
      ],
    );
    assert.deepEqual(file.fields.id, { column: 'id' });
    assert.match(JSON.stringify(file.fields.name), /label/);
    assert.match(JSON.stringify(file.fields.partial_key_hint), /todo/);
  });

  test('never takes a primary key of full keys for the ID', async () => {
    const { file, keyColumns } = await proposedWith(
      'creds',
      `CREATE TABLE creds (value text PRIMARY KEY, org_id text);
       INSERT INTO creds SELECT 'sk_live_' || left(translate(${KEY}, '+/=', 'abc'), 32), 'org' FROM generate_series(1, 20) AS i`,
    );
    assert.equal(keyColumns[0]?.why, 'its values');
    assert.match(JSON.stringify(file.fields.id), /todo/);
  });
});
