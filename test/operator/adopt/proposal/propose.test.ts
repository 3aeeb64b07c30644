import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { ProposedField } from '../../../../src/operator/adopt/proposal/by-name.ts';
import { FIELD_NAMES } from '../../../../src/service/postgres/vendor-table/mapping.ts';
import { openFields, type ProposedFile, proposalFor, sourcesOf } from '../../../support/adopted/proposals.ts';
import { examine, type VendorDatabase, vendorDatabase } from '../../../support/adopted/vendor-database.ts';
import { suiteScope } from '../../../support/scope.ts';

const TODO = 'a person decides';
/** A key as its vendor stores it, of which no message and no file may have a part. */
const KEY = "encode(sha256(i::text::bytea), 'base64')";

/** What the tables of test/support/adopted don't have. */
const EXAMPLE = `
  CREATE TABLE public.keys (key_id text PRIMARY KEY, team_id integer NOT NULL, key_name varchar(40) NOT NULL, token bytea NOT NULL,
    preview text NOT NULL, created bigint NOT NULL, created_by integer, state text NOT NULL, project text NOT NULL);
  INSERT INTO public.keys SELECT 'key_' || i, i % 4, 'Key', sha256(i::text::bytea), 'sk-...' || i, 1730332707427 + i, NULL,
    CASE i % 2 WHEN 0 THEN 'Active' ELSE 'Disabled' END, 'live' FROM generate_series(1, 20) AS i`;

const CREATED_IN_UTC = `coalesce(("created" AT TIME ZONE 'UTC'), timestamptz '1970-01-01 00:00:00+00')`;
const orNone = (sql: string) =>
  `CASE WHEN ${sql} >= timestamptz '1971-01-01 00:00:00+00' AND ${sql} < timestamptz 'infinity' THEN ${sql} END`;

describe('the proposal for a table', () => {
  const scope = suiteScope();
  let database: VendorDatabase;
  before(async () => {
    database = await vendorDatabase(scope);
  });
  const proposed = (table: string) => proposalFor(database.url, `public.${table}`);
  const proposedWith = async (table: string, sql: string) => {
    await database.client.query(sql);
    return proposed(table);
  };

  test('takes what only one column is called, and is unsure of the rest', async () => {
    const proposal = await proposedWith('keys', EXAMPLE);
    const { created_at, ...sources } = sourcesOf(proposal);
    assert.deepEqual(sources, {
      organization_id: { column: 'team_id' },
      id: { column: 'key_id' },
      name: { column: 'key_name' },
      created_by_id: { sql: `coalesce("created_by"::text, 'unknown')` },
      created_by_type: { constant: 'user' },
      partial_key_hint: { column: 'preview' },
      status: { column: 'state', values: { active: ['Active'], inactive: ['Disabled'], archived: [] } },
      workspace_id: { column: 'project' },
    });
    assert.deepEqual(created_at, { sql: 'to_timestamp("created" / 1000.0)' });
    assert.deepEqual(proposal.file.filters, ['status', 'workspace_id', 'created_by_user_id']);
    assert.deepEqual(openFields(proposal.choices), ['organization_id', 'created_at', 'workspace_id']);
    assert.deepEqual(
      proposal.keyColumns.map(({ name }) => name),
      ['token'],
    );
    assert.deepEqual(await examine(database.url, proposal.file), { faults: [], warnings: [] });
    const shown = JSON.stringify([proposal.file, proposal.choices]);
    assert.doesNotMatch(shown, /Key \d|[\da-f]{16}/, 'a value of the table');
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

  const column = (name: string, values?: object) => ({ column: name, ...(values && { values }) });
  const sql = (text: string) => ({ sql: text });
  const SINCE_1971 = "BETWEEN date '1971-01-01' AND date '9999-12-31'";
  const ended = (isSet: string) => `CASE WHEN ${isSet} THEN 'archived' ELSE 'active' END`;
  type Row = readonly [columns: string, row: string, source: unknown, why: RegExp];
  /** For each field: columns, a row of them, the source that is proposed, and what is said of it. */
  const columns: Partial<Record<ProposedField, readonly Row[]>> = {
    organization_id: [
      ['tenant_id text', 'NULL', TODO, /; NULL only with "unlisted": true: correct the rows/],
      ['workspace_id text, owner_id text', `'w', 'u'`, TODO, /: is it owner_id, workspace_id\?$/],
      ['team_id text, user_id text', `'t', 'u'`, TODO, /: is it team_id, user_id\?$/],
      ['owner_id text, owner_type text', `'1', 'u'`, TODO, /of different types may be the same/],
      ['project_ref text', `'p'`, TODO, /where another table has it, give "joins"/],
    ],
    workspace_id: [
      ['project_ref text', `'p'`, column('project_ref'), /its name/],
      ['group_id int', '1', column('group_id'), /its name/],
      ['workspace_id text, owner_id text', `'w', 'u'`, column('workspace_id'), /, if it isn't the organ/],
      ['environment text, env text', `'live', 'a'`, { constant: null }, /no column is a part/],
    ],
    created_by_id: [
      ['owner_id int, org_id int', '1, 1), (NULL, 1), (NULL, 1', TODO, /^name the column with the ID of who/],
      [
        'owner_id int, org_id int',
        '1, 1), (2, 1), (NULL, 1',
        sql(`coalesce("owner_id"::text, 'unknown')`),
        /name/,
      ],
    ],
    created_by_type: [
      ['is_bot boolean', 'true', TODO, /^is_bot may tell a service account from a user/],
      [
        'bearer_type text NOT NULL',
        `'User'`,
        { constant: 'user' },
        /^bearer_type may tell a service account/,
      ],
    ],
    id: [
      ['id text UNIQUE', `'a b'`, TODO, /^1 of 1 sampled rows break its rule: must be 1 to 255 of A-Z/],
      [
        'a_id text UNIQUE, b text UNIQUE',
        `'1', '2'`,
        TODO,
        /where only the key or its hash is unique, add one/,
      ],
      ['id float8 PRIMARY KEY', '1', column('id'), / or 1 and 1\.0, for the same/],
      ['id text, v int, PRIMARY KEY (id, v)', `'1', 1`, column('id'), /a part of the primary key only$/],
      ['id text UNIQUE, uuid uuid UNIQUE', `'1', NULL`, TODO, /: is it id, uuid\?/],
    ],
    created_at: [
      ['date_added timestamptz NOT NULL', 'now()', column('date_added'), /^its name and type$/],
      ['createdat timestamptz NOT NULL', 'now()', column('createdat'), /^its name and type$/],
      ['created_unix int NOT NULL', '1730332707', sql('to_timestamp("created_unix" / 1.0)'), /it is in s$/],
      ['created_at_m bigint NOT NULL', '1730332707427', sql('to_timestamp("created_at_m" / 1000.0)'), / ms$/],
      ['created timestamptz NOT NULL', 'now()', column('created'), /^its name and type$/],
      ['created timestamp', 'now()', sql(CREATED_IN_UTC), /UTC is assumed; NULL is listed as of 1970$/],
    ],
    expires_at: [
      ['expires_at timestamptz', 'NULL', column('expires_at'), /^its name and type$/],
      ['"keyExpiresAt" timestamp(3)', 'NULL', sql(`("keyExpiresAt" AT TIME ZONE 'UTC')`), /UTC is assumed$/],
      [
        'valid_until date',
        'NULL',
        sql(`("valid_until"::timestamp AT TIME ZONE 'UTC')`),
        /the start of that day in UTC$/,
      ],
      ['expires_at timestamptz', `'infinity'`, sql(orNone('"expires_at"')), /infinity, is none$/],
      ['expires int', '1730332707), (-1', sql(orNone('to_timestamp("expires" / 1.0)')), /in s; /],
      ['expires bigint', '0', TODO, /^expires is of the type bigint: give SQL .* or leave the field out$/],
      ['expires bigint', '1730332707), (1730332707427', TODO, /^expires is of the type bigint/],
      ['expires_at timestamptz, expiration date', 'NULL', TODO, /: is it expires_at, expiration\?/],
      ['expires_at timestamptz', `'1753-01-01'`, sql(orNone('"expires_at"')), /infinity, is none$/],
    ],
    last_used_at: [
      ['last_used timestamptz', `'0001-01-01Z'`, sql(orNone('"last_used"')), /1971, or/],
      [
        '"lastUsedAt" bigint',
        '1730332707427), (0',
        sql(orNone('to_timestamp("lastUsedAt" / 1000.0)')),
        /it is in ms; /,
      ],
      ['last_active timestamptz', 'NULL', column('last_active'), /^its name and type$/],
    ],
    partial_key_hint: [
      ['hint text NOT NULL', `'sk-ab…wxyz'`, sql(`regexp_replace("hint", '[.*•…]+', '...')`), /another form/],
      [
        'preview text NOT NULL',
        `'cms_abcd...'`,
        sql(`regexp_replace("preview", '[.*•…]+$', '') || '...____'`),
        /another form/,
      ],
      [
        'prefix text NOT NULL',
        `'LePat...'), ('Qx7Rb...'`,
        sql(`regexp_replace("prefix", '[.*•…]+$', '') || '...____'`),
        /another form/,
      ],
      [
        'masked text NOT NULL',
        `'****wxyz'`,
        sql(`'____' || regexp_replace("masked", '^[.*•…]+', '...')`),
        /form/,
      ],
      ['display text NOT NULL', `'sk-ab…wxyz'), ('sk-abcdefg'`, TODO, /regexp_replace\("display"/],
      ['token_last_eight text NOT NULL', `'abcdwxyz'`, sql(`'____' || '...' || "token_last_eight"`), /name/],
      ['"lastFour" char(4)', `'wxyz'`, sql(`'____' || '...' || coalesce("lastFour", '____')`), /name/],
      ['key_name text NOT NULL, key_alias text', `'sk-...abcd', 'A'`, column('key_name'), /values/],
      [
        'prefix text NOT NULL',
        `'sk_live_4eC39HqLyjWDarjt'), ('sk_live_Tzdp7dcA1b2C3d4E'`,
        sql(`"prefix" || '...____'`),
        /12 or more characters of most keys/,
      ],
      [
        'prefix text NOT NULL',
        `'sk_live_4eC3'), ('sk_live_Tzdp'`,
        sql(`"prefix" || '...____'`),
        /^its name$/,
      ],
    ],
    name: [
      [
        'secret uuid, label text GENERATED ALWAYS AS (left(secret::text, 8)) STORED',
        `gen_random_uuid()`,
        TODO,
        /^the column secret has full keys or hashes of keys, by its name: no field/,
      ],
      [
        'label text NOT NULL',
        `'K ' || md5('1')::uuid), ('K ' || md5('2')::uuid`,
        TODO,
        /^name the column with the name/,
      ],
      ['title text UNIQUE, label text NOT NULL', `gen_random_uuid(), 'Key'`, column('label'), /name/],
      ['label text', `gen_random_uuid()), (gen_random_uuid()`, TODO, /^name the column with the name/],
      ['key_name text NOT NULL, key_alias text NOT NULL', `'sk-...abcd', 'A'`, column('key_alias'), /name/],
    ],
    status: [
      ['revoked_at date', 'NULL', sql(ended('"revoked_at" IS NOT NULL')), /name/],
      [
        'is_revoked boolean',
        'true',
        column('is_revoked', { active: [false, null], archived: [true] }),
        /name/,
      ],
      [
        'enabled boolean, soft_deleted_at date',
        'true',
        TODO,
        /^enabled, soft_deleted_at may all tell of the status/,
      ],
      ['can_delete boolean', 'true', TODO, /^what can_delete means isn't known/],
      ['deleted_at_m bigint', '0', sql(ended('"deleted_at_m" > 0')), /name/],
      ['deleted_at date NOT NULL', `'0001-01-01'`, sql(ended(`"deleted_at" ${SINCE_1971}`)), /name/],
      ['date_deleted date', 'NULL', sql(ended('"date_deleted" IS NOT NULL')), /name/],
      ['status mood', `'active'`, TODO, /^it isn't known what grumpy of the column status means/],
      ['status text', `'4eC39HqLyjWDarjtT1zdp7dc'`, TODO, /\bcolumn with the status/],
      ['status text', `'odd'`, TODO, /^it isn't known what 1 values of the column status means/],
      [
        'revoked_at timestamptz',
        `'0001-01-01Z'), (NULL`,
        sql(ended(`"revoked_at" ${SINCE_1971.replaceAll('date', 'timestamptz')}`)),
        /^its name and type$/,
      ],
      [
        'revoked_at date',
        `'infinity'), ('2024-01-01'`,
        sql(ended(`"revoked_at" ${SINCE_1971}`)),
        /^its name/,
      ],
      ['revoked_at date', `'2999-01-01'`, sql(ended('"revoked_at" IS NOT NULL')), /; some are in the future/],
      ['revoked_at date, revoked_by text', `NULL, NULL`, sql(ended('"revoked_at" IS NOT NULL')), /name/],
      ['is_deleted smallint', '0', TODO, /^what is_deleted means isn't known: .* WHEN "is_deleted" …/],
      ['enabled boolean, lifecycle text', `true, 'live'`, TODO, /^enabled, lifecycle may all tell/],
      ...[
        ...[
          'is_deleted smallint',
          'deleted int',
          'revoked char',
          'deleted_by text',
          'is_active int',
          'status_code int',
        ],
        ...['trashed_at', 'invalidated_at', 'purged_at', 'ended_at', 'rotated_at', 'leaked_at'].map(
          at => `${at} date`,
        ),
        ...'expired voided invalid withdrawn obsolete compromised frozen hidden live usable'
          .split(' ')
          .map(flag => `${flag} boolean`),
        ...['superseded_by int', 'revoke json'],
      ].map((other): Row => {
        const told = new RegExp(`^enabled, ${other.split(' ')[0]} may all tell of the status`);
        return [`enabled boolean, ${other}`, 'true, NULL', TODO, told];
      }),
      ['active boolean', 'NULL', TODO, /^it isn't known what NULL of the column active means/],
    ],
  };
  const rows = Object.entries(columns) as [ProposedField, readonly Row[]][];
  for (const [field, sql, row, source, why] of rows.flatMap(([field, all]) =>
    all.map(each => [field, ...each] as const),
  ))
    test(`has a ${field} of ${sql} such as ${row}: ${why}`, async () => {
      await database.client.query(`DROP TABLE IF EXISTS t; DROP TYPE IF EXISTS mood;
        CREATE TYPE mood AS ENUM ('active', 'grumpy')`);
      const proposal = await proposedWith('t', `CREATE TABLE t (${sql}); INSERT INTO t VALUES (${row})`);
      const { todo, ...rest } = sourcesOf(proposal)[field] as { todo?: string };
      assert.match(proposal.choices[field]?.why ?? '', why);
      if (source === TODO) assert.equal(todo, proposal.choices[field]?.why);
      else assert.deepEqual(rest, source);
    });

  test('is sure of nothing where the table has no rows', async () => {
    const sql = 'CREATE TABLE none (id text PRIMARY KEY, org_id text, title text, created_at timestamptz)';
    assert(Object.values((await proposedWith('none', sql)).choices).every(({ sure }) => !sure));
  });

  test('has no field but those of the contract and the two that have a meaning, and these by a time only', async () => {
    const sql = `CREATE TABLE other (id text PRIMARY KEY, expires_at text, last_used boolean, revoked_at timestamptz, plan text)`;
    const { file } = await proposedWith('other', sql);
    assert.deepEqual(Object.keys(file.fields), FIELD_NAMES);
  });

  test('never takes a column of full keys or of hashes, whatever it is called, nor such a primary key', async () => {
    const random = `'acme_live_' || ${KEY}`;
    const { file, keyColumns }: ProposedFile = await proposedWith(
      'k',
      `CREATE TABLE k (id text PRIMARY KEY, name text, hint text, prefix text, api_key uuid, "tokenHash" bytea, label text);
       INSERT INTO k SELECT 'sk_live_' || left(translate(${KEY}, '+/=', 'abc'), 32), ${random}, ${random}, md5(i::text), gen_random_uuid(),
         sha256(i::text::bytea), 'Key' FROM generate_series(1, 20) AS i`,
    );
    assert.deepEqual(Object.fromEntries(keyColumns.map(({ name, why }) => [name, why])), {
      ...{ id: 'its values', name: 'its values', hint: 'its values', prefix: 'its values' },
      ...{ api_key: 'its name', tokenHash: 'its name' },
    });
    assert.match(JSON.stringify(file.fields.id), /todo/);
    assert.match(JSON.stringify(file.fields.name), /label/);
    assert.match(JSON.stringify(file.fields.partial_key_hint), /todo/);
  });
});
