import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { examine } from '../../../support/adopted/examine.ts';
import { openFields, type ProposedFile, proposalFor, sourcesOf } from '../../../support/adopted/proposals.ts';
import { type VendorDatabase, vendorDatabase } from '../../../support/adopted/vendor-database.ts';
import { suiteScope } from '../../../support/scope.ts';

interface Example {
  readonly what: string;
  readonly table: string;
  readonly sql: string;
  readonly sources: Readonly<Record<string, unknown>>;
  readonly filters: readonly string[];
  /** What isn't sure. */
  readonly open: readonly string[];
  readonly keyColumns: readonly string[];
}

/** A key as its vendor stores it, of which no message and no file may have a part. */
const KEY = "encode(sha256(i::text::bytea), 'base64')";

const examples: readonly Example[] = [
  {
    what: "better-auth 1.7's, with nothing to edit",
    table: 'public.apikey',
    sql: `CREATE TABLE public.apikey ("id" text NOT NULL PRIMARY KEY, "configId" text NOT NULL, "name" text, "start" text,
        "referenceId" text NOT NULL, "prefix" text, "key" text NOT NULL, "refillInterval" integer, "refillAmount" integer,
        "lastRefillAt" timestamptz, "enabled" boolean, "rateLimitEnabled" boolean, "rateLimitTimeWindow" integer,
        "rateLimitMax" integer, "requestCount" integer, "remaining" integer, "lastRequest" timestamptz, "expiresAt" timestamptz,
        "createdAt" timestamptz NOT NULL, "updatedAt" timestamptz NOT NULL, "permissions" text, "metadata" text);
      INSERT INTO public.apikey ("id", "configId", "name", "start", "referenceId", "key", "enabled", "createdAt", "updatedAt")
      SELECT translate(md5('id' || i), '0123456789', 'ABCDEFGHIJ'), 'default', nullif('Key ' || i, 'Key 1'), substr(md5('s' || i), 1, 6),
        md5('user' || i % 5), ${KEY}, i % 9 > 0, now(), now() FROM generate_series(1, 50) AS i`,
    sources: {
      organization_id: { column: 'referenceId' },
      id: { column: 'id' },
      name: { sql: `coalesce("name", '')` },
      created_at: { column: 'createdAt' },
      created_by_id: { column: 'referenceId' },
      created_by_type: { constant: 'user' },
      partial_key_hint: { sql: `coalesce("start", '____') || '...____'` },
      status: { column: 'enabled', values: { active: [true], inactive: [false] } },
      workspace_id: { constant: null },
    },
    filters: ['status', 'workspace_id'],
    open: ['organization_id', 'created_by_id', 'status'],
    keyColumns: ['key'],
  },
  {
    what: 'one with a uuid ID, two kinds of creators, times of the end, a prefix and last characters',
    table: 'public.api_tokens',
    sql: `CREATE TABLE public.api_tokens (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), tenant_id text NOT NULL, workspace_id text,
        name text, prefix text NOT NULL, last4 varchar(8) NOT NULL, secret_hash text NOT NULL, user_id text, service_account_id text,
        created_at timestamptz NOT NULL DEFAULT now(), suspended_at timestamptz, revoked_at timestamptz, expires_at timestamptz);
      INSERT INTO public.api_tokens (tenant_id, prefix, last4, secret_hash, user_id, service_account_id, revoked_at)
      SELECT 't1', 'acme_live_', 'x' || i % 10, '$2b$12$' || ${KEY}, CASE WHEN i % 2 = 0 THEN 'u' || i END,
        CASE WHEN i % 2 > 0 THEN 's' || i END, CASE WHEN i % 3 = 0 THEN now() END FROM generate_series(1, 20) AS i`,
    sources: {
      organization_id: { column: 'tenant_id' },
      id: { column: 'id' },
      name: { sql: `coalesce("name", '')` },
      created_at: { column: 'created_at' },
      created_by_id: { sql: `coalesce("user_id", "service_account_id", 'unknown')` },
      created_by_type: {
        sql: `CASE WHEN "service_account_id" IS NOT NULL THEN 'service_account' ELSE 'user' END`,
      },
      partial_key_hint: { sql: `"prefix" || '...' || "last4"` },
      status: {
        sql: `CASE WHEN "revoked_at" IS NOT NULL THEN 'archived' WHEN "suspended_at" IS NOT NULL THEN 'inactive' ELSE 'active' END`,
      },
      workspace_id: { column: 'workspace_id' },
    },
    filters: ['status', 'workspace_id', 'created_by_user_id'],
    open: [],
    keyColumns: ['secret_hash'],
  },
  {
    what: 'one of Prisma, with quoted names, a key of two columns, an enum and times without a zone',
    table: '"Auth"."ApiKey"',
    sql: `CREATE SCHEMA "Auth";
      CREATE TYPE "Auth"."Status" AS ENUM ('ENABLED', 'DISABLED', 'DELETED');
      CREATE TYPE "Auth"."OwnerKind" AS ENUM ('HUMAN', 'BOT');
      CREATE TABLE "Auth"."ApiKey" ("id" text NOT NULL, "orgId" text NOT NULL, "teamId" text, "displayName" text NOT NULL,
        "keyHint" text NOT NULL, "hashedKey" text NOT NULL, "status" "Auth"."Status" NOT NULL, "ownerId" text NOT NULL,
        "ownerKind" "Auth"."OwnerKind" NOT NULL, "createdAt" timestamp(3), PRIMARY KEY ("orgId", "id"));
      INSERT INTO "Auth"."ApiKey" SELECT 'c' || left(md5(i::text), 24), 'org', 'team_1', 'Key', 'sk-ab...' || i, md5('k' || i), 'ENABLED', 'u1', 'HUMAN',
        now() FROM generate_series(1, 20) AS i`,
    sources: {
      organization_id: { column: 'orgId' },
      id: { column: 'id' },
      name: { column: 'displayName' },
      created_at: {
        sql: `coalesce(("createdAt" AT TIME ZONE 'UTC'), timestamptz '1970-01-01 00:00:00+00')`,
      },
      created_by_id: { column: 'ownerId' },
      created_by_type: {
        sql: `CASE WHEN lower("ownerKind"::text) IN ('service_account', 'service', 'serviceaccount', 'machine', 'robot', 'bot', 'app', 'application') THEN 'service_account' ELSE 'user' END`,
      },
      partial_key_hint: { column: 'keyHint' },
      status: {
        column: 'status',
        values: { active: ['ENABLED'], inactive: ['DISABLED'], archived: ['DELETED'] },
      },
      workspace_id: { column: 'teamId' },
    },
    filters: ['status', 'workspace_id', 'created_by_user_id'],
    open: ['created_by_id', 'created_by_type', 'workspace_id'],
    keyColumns: ['hashedKey'],
  },
  {
    what: 'one with milliseconds, a status of text, soft deletion as a number, and an environment as an enum',
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
  },
];

describe('the proposal for a table', () => {
  const scope = suiteScope();
  let database: VendorDatabase;
  before(async () => {
    database = await vendorDatabase(scope);
    for (const { sql } of examples) await database.client.query(sql);
    await database.client.query(`CREATE TABLE hotels (id text PRIMARY KEY); INSERT INTO hotels VALUES ('h')`);
  });
  const proposed = (table: string) => proposalFor(database.url, table);
  const proposedWith = async (table: string, sql: string) => {
    await database.client.query(sql);
    return proposed(table);
  };

  for (const { what, table, sources, filters, open, keyColumns } of examples) {
    test(`is right for ${what}`, async () => {
      const proposal = await proposed(table);
      assert.deepEqual(sourcesOf(proposal), sources);
      assert.deepEqual(proposal.file.filters, filters);
      assert.deepEqual(openFields(proposal.choices), open);
      assert.deepEqual(
        proposal.keyColumns.map(({ name }) => name),
        keyColumns,
      );
    });

    test(`can be used as it is for ${what}: every sampled row is a valid API key`, async () => {
      assert.deepEqual(await examine(database.url, (await proposed(table)).file), {
        faults: [],
        warnings: [],
      });
    });
  }

  test('has no value of the table but the statuses', async () => {
    for (const { table } of examples) {
      const text = JSON.stringify(await proposed(table));
      assert.doesNotMatch(text, /Key \d|acme_|user_\d|[\da-f]{16}|\$2b/);
    }
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

  test('takes the ID that its message says to add', async () => {
    const sql = `CREATE TABLE digests (digest text PRIMARY KEY);
      ALTER TABLE public.digests ADD COLUMN public_id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE`;
    const proposal = await proposedWith('digests', sql);
    assert.deepEqual(sourcesOf(proposal).id, { column: 'public_id' });
    assert.equal(proposal.choices.id.sure, true);
  });

  const organizations: [columns: string, row: string, source: unknown, open: boolean, why: RegExp][] = [
    ['org_id text, user_id text', `'o', 'u'`, { column: 'org_id' }, false, /^its name$/],
    ['"userId" integer', '7', { column: 'userId' }, true, /each value is one organization$/],
    [
      'tenant_id text',
      'NULL',
      { column: 'tenant_id' },
      true,
      /NULL in 100 % of the sample: those keys are in no list$/,
    ],
    [
      'org_id text',
      `NULL), (NULL), (NULL), ('o'`,
      { column: 'org_id' },
      true,
      /^its name; NULL in 75 % of the sample/,
    ],
    [
      '"userId" text NOT NULL, "propertyRef" text REFERENCES hotels NOT NULL',
      `'u', 'h'`,
      { column: 'propertyRef' },
      true,
      /^it refers to hotels$/,
    ],
    [
      'tokenable_type text NOT NULL, tokenable_id bigint NOT NULL',
      `'App\\Models\\User', 7`,
      { column: 'tokenable_id' },
      true,
      /^the name of tokenable_type, which says what it is the ID of/,
    ],
    [
      'tenant_id text',
      `'a b'`,
      { column: 'tenant_id' },
      true,
      /1 of 1 sampled values break the rule of IDs$/,
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

  const ids: [columns: string, source: unknown, open: boolean, why: RegExp][] = [
    [
      'account_id text, number integer, PRIMARY KEY (account_id, number)',
      { column: 'number' },
      true,
      /^the primary key, with the organization$/,
    ],
    ['id bytea PRIMARY KEY', { sql: `encode("id", 'hex')` }, false, /^its name, and it is unique$/],
  ];
  for (const [columns, source, open, why] of ids) {
    test(`takes the ID from ${columns}`, async () => {
      const { choices } = await proposedWith('i', `DROP TABLE IF EXISTS i; CREATE TABLE i (${columns})`);
      assert.deepEqual(choices.id.source, source);
      assert.equal(choices.id.sure, !open);
      assert.match(choices.id.why, why);
    });
  }

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
      'a text with unknown words, which are named',
      'status text',
      `('active'), ('on hold'), ('odd'), (NULL)`,
      {
        column: 'status',
        values: { active: ['active'], inactive: [], archived: [] },
        todo: 'of the column status it isn\'t known what odd, on hold, NULL mean: add each to the status that it means, and delete this "todo"',
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
    [
      'a boolean that is NULL in a row',
      'enabled boolean',
      '(true), (NULL)',
      {
        column: 'enabled',
        values: { active: [true], inactive: [false] },
        todo: 'the column enabled is NULL in some rows: add null to the status that it means, and delete this "todo"',
      },
    ],
    [
      'times of the end as numbers of milliseconds',
      '"enabled" boolean NOT NULL, "deleted_at_m" bigint, "suspendedAtMs" bigint',
      '',
      {
        sql: `CASE WHEN ("deleted_at_m" <> 0) THEN 'archived' WHEN NOT "enabled" THEN 'inactive' WHEN ("suspendedAtMs" <> 0) THEN 'inactive' WHEN "enabled" THEN 'active' END`,
      },
    ],
    [
      'labels with a prefix, as of protocol buffers',
      'state text',
      `('API_KEY_STATE_ACTIVE'), ('API_KEY_STATE_REVOKED')`,
      {
        column: 'state',
        values: { active: ['API_KEY_STATE_ACTIVE'], inactive: [], archived: ['API_KEY_STATE_REVOKED'] },
      },
    ],
    [
      'a time of expiry alone, which is none',
      'expires_at timestamptz',
      '',
      {
        todo: 'name the column with the status, or {"constant": "active"} where a key that is revoked is deleted',
      },
    ],
  ];
  for (const [what, column, rows, source] of statuses) {
    test(`takes the status from ${what}`, async () => {
      await database.client.query(
        `DROP TABLE IF EXISTS s; DROP TYPE IF EXISTS mood; CREATE TYPE mood AS ENUM ('active', 'grumpy')`,
      );
      const insert = rows === '' ? '' : `INSERT INTO s VALUES ${rows}`;
      const proposal = await proposedWith('s', `CREATE TABLE s (${column}); ${insert}`);
      assert.deepEqual(sourcesOf(proposal).status, source);
    });
  }

  const unused = ['soft_deleted_at timestamptz', '"deletionTime" date'];
  for (const column of unused) {
    test(`names ${column}, which it does not look at, and is not sure of the status`, async () => {
      const sql = `DROP TABLE IF EXISTS s; CREATE TABLE s (enabled boolean NOT NULL, can_delete boolean, ${column})`;
      const { status } = (await proposedWith('s', sql)).choices;
      assert.equal(status.sure, false);
      const [name = ''] = /\w+/.exec(column) ?? [];
      assert(status.why.endsWith(`; not looked at: ${name}`), status.why);
    });
  }

  const times: [type: string, value: string, source: unknown][] = [
    ['timestamptz NOT NULL', 'now()', { column: 'created' }],
    ['timestamptz', 'now()', { sql: `coalesce("created", timestamptz '1970-01-01 00:00:00+00')` }],
    ['date NOT NULL', 'now()', { sql: `("created"::timestamp AT TIME ZONE 'UTC')` }],
    ['numeric NOT NULL', '1730332707427.722', { column: 'created', unit: 'ms' }],
    ['bigint NOT NULL', '1730332707427722000', { column: 'created', unit: 'ns' }],
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
    ['hint text NOT NULL', `'sk-ab...wxyz'`, { column: 'hint' }],
    [
      'hint text NOT NULL',
      `'sk-ab…wxyz'`,
      { sql: `regexp_replace("hint", '([.]{2,}|[*]+|[•]+|…)+', '...')` },
    ],
    ['hint text NOT NULL', `'sk_live_ab'`, { sql: `"hint" || '...____'` }],
    ['"lastFour" char(4)', `'wxyz'`, { sql: `'____' || '...' || coalesce("lastFour", '____')` }],
    ['key_name text NOT NULL, key_alias text', `'sk-...abcd', 'Billing'`, { column: 'key_name' }],
    [
      'common_token_prefix text NOT NULL, random_token_prefix text NOT NULL',
      `'acme', 'q1x'), ('acme', 'w2y'`,
      { sql: `"random_token_prefix" || '...____'` },
    ],
  ];
  for (const [columns, row, source] of hints) {
    test(`makes a hint of ${columns} such as ${row}`, async () => {
      const sql = `DROP TABLE IF EXISTS h; CREATE TABLE h (${columns}); INSERT INTO h VALUES (${row})`;
      const proposal = await proposedWith('h', sql);
      assert.deepEqual(sourcesOf(proposal).partial_key_hint, source);
      assert.equal(proposal.choices.partial_key_hint.sure, true);
    });
  }

  test('takes no column of masked keys for the name, whatever it is called', async () => {
    const sql = `CREATE TABLE masked (key_name text, key_alias text); INSERT INTO masked VALUES ('sk-...abcd', 'Billing')`;
    const { name } = sourcesOf(await proposedWith('masked', sql));
    assert.deepEqual(name, { sql: `coalesce("key_alias", '')` });
  });

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

  const keyIds: [what: string, sql: string][] = [
    [
      'full keys',
      `CREATE TABLE creds (value text PRIMARY KEY, org_id text, name text, created_at timestamptz, start text, revoked bool, created_by text);
       INSERT INTO creds SELECT 'sk_live_' || left(translate(${KEY}, '+/=', 'abc'), 32), 'org', 'Key', now(), 'sk_live_ab', false, 'u1'
       FROM generate_series(1, 20) AS i`,
    ],
    [
      'SHA-256',
      `CREATE TABLE tokens (id char(64) PRIMARY KEY, org_id text);
       INSERT INTO tokens SELECT encode(sha256(i::text::bytea), 'hex'), 'org' FROM generate_series(1, 20) AS i`,
    ],
  ];
  for (const [what, sql] of keyIds)
    test(`never takes a primary key of ${what} for the ID`, async () => {
      const table = /TABLE (\w+)/.exec(sql)?.[1] ?? '';
      const { file, keyColumns } = await proposedWith(table, sql);
      assert.equal(keyColumns[0]?.why, 'its values');
      assert.match(JSON.stringify(file.fields.id), /todo/);
    });
});
