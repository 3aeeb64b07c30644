import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { newRole } from '../../../support/adopted/role.ts';
import { examine, type VendorDatabase, vendorDatabase } from '../../../support/adopted/vendor-database.ts';
import { type Scope, suiteScope } from '../../../support/scope.ts';

const TABLE = `
  CREATE TYPE mood AS ENUM ('happy', 'grumpy');
  CREATE TABLE api_keys (id text PRIMARY KEY, org text NOT NULL, name text, hint text, "key" text, "keyDigest" bytea, value text,
    created timestamptz, made timestamp, millis bigint, mood mood, enabled boolean, owner text);
  INSERT INTO api_keys SELECT md5('id' || i), 'org_' || i % 3, 'Key ' || i, 'sk-ab...' || i, encode(sha256(i::text::bytea), 'base64'),
    sha256(i::text::bytea), 'acme_live_' || encode(sha256(('v' || i)::bytea), 'base64'), now(), now(), 1730332707427 + i, 'happy', true, 'u1'
  FROM generate_series(1, 100) AS i`;

const FIELDS = {
  organization_id: { column: 'org' },
  id: { column: 'id' },
  name: { column: 'name' },
  created_at: { column: 'created' },
  created_by_id: { column: 'owner' },
  created_by_type: { constant: 'user' },
  partial_key_hint: { column: 'hint' },
  status: { column: 'enabled', values: { active: [true], inactive: [false] } },
  workspace_id: { constant: null },
};

describe('a mapping compared with its table', () => {
  const scope = suiteScope();
  let database: VendorDatabase;
  before(async () => {
    database = await vendorDatabase(scope);
    await database.client.query(TABLE);
  });
  const examined = (fields: object, table = 'public.api_keys', filters: string[] = []) =>
    examine(database.url, { table, fields: { ...FIELDS, ...fields }, filters });
  /** In a copy of the table, which this SQL changes. */
  const examinedWith = async (sql: string, fields: object = {}, filters: string[] = []) => {
    await database.client.query(
      `DROP TABLE IF EXISTS changed; CREATE TABLE changed AS TABLE api_keys; CREATE UNIQUE INDEX changed_id ON changed (id); ${sql}`,
    );
    return examined(fields, 'public.changed', filters);
  };

  test('has nothing wrong when each field has a source that fits', async () =>
    assert.deepEqual(await examined({}), { faults: [], warnings: [] }));

  test('warns of rows without an organization, unless they are meant to be in no list', async () => {
    const sql = `CASE WHEN id > '8' THEN org END`;
    const { warnings } = await examined({ organization_id: { sql } });
    assert.match(warnings[0]?.problem ?? '', /^\d+ of 100 sampled rows break its rule/);
    const meant = await examined({ organization_id: { sql, unlisted: true } });
    assert.deepEqual(meant, { faults: [], warnings: [] });
  });

  test('has a fault that names the field', async () => {
    const noColumn = /^fields\.name: PostgreSQL refuses it: column "label" does not exist$/;
    const sad = { column: 'mood', values: { active: ['sad'] } };
    const wrong: [fields: object, fault: RegExp][] = [
      [{ name: { column: 'label' } }, noColumn],
      [{ name: { sql: 'coalesce(label)' } }, noColumn],
      [
        { created_at: { column: 'made' } },
        /^fields\.created_at: must be a timestamptz: for a timestamp without a zone/,
      ],
      [{ status: sad }, /^fields\.status: PostgreSQL refuses it: invalid input value for enum public\.mood/],
    ];
    for (const [fields, fault] of wrong) {
      const found = (await examined(fields)).faults.map(({ field, problem }) => `${field}: ${problem}`);
      assert.equal(found.length, 1, found.join('\n'));
      assert.match(found[0] ?? '', fault);
    }
  });

  test('may have what is not immutable where no index has it', async () => {
    const fields = {
      name: { sql: 'mood::text' },
      workspace_id: { column: 'mood' },
      id: { sql: 'public.api_keys.id' },
    };
    assert.deepEqual(await examined(fields), { faults: [], warnings: [] });
  });

  test("can't have a field from a key or a hash", async () => {
    const fields = ['id', 'name', 'created_by_id', 'partial_key_hint', 'status'];
    const masked = `left("key", 4) || '...' || right("key", 4)`;
    const expressions = ['"key"', masked, `api_keys.key || '...'`, `encode("keyDigest", 'hex')`];
    for (const source of [{ column: 'key' }, { column: 'keyDigest' }, ...expressions.map(sql => ({ sql }))]) {
      const { faults: found } = await examined(Object.fromEntries(fields.map(field => [field, source])));
      assert.deepEqual(
        found.map(({ field }) => field),
        fields.map(field => `fields.${field}`),
      );
      for (const { problem } of found)
        assert.match(problem, /has full keys or hashes of keys, by its name: no field may come from it$/);
    }
  });

  test('has a name, an ID or a hint from UUIDs that few rows share only where it says that they are no keys', async () => {
    const change = `ALTER TABLE changed ADD u uuid UNIQUE, ADD label text, ADD two uuid, ADD data jsonb;
      UPDATE changed SET u = gen_random_uuid(), label = gen_random_uuid(), two = md5((split_part(name, ' ', 2)::int / 2)::text)::uuid;
      UPDATE changed SET data = jsonb_build_object('ref', 'key:' || u)`;
    const fields = ['name', 'created_by_id', 'partial_key_hint'];
    const parts = `left(u::text, 4) || '...' || right(label, 4)`;
    for (const sql of ['u', 'label', 'two', `split_part(data ->> 'ref', ':', 2)`, parts]) {
      const from = (more: object) => Object.fromEntries(fields.map(field => [field, { sql, ...more }]));
      const { faults: found } = await examinedWith(change, from({}));
      assert.equal(found.length, fields.length);
      for (const { problem } of found) assert.match(problem, /has UUIDs that few rows share.*"no_key": true/);
      assert.deepEqual((await examinedWith(change, from({ no_key: true }))).faults, []);
    }
    assert.deepEqual((await examinedWith(change, { id: { sql: 'u' } })).faults, []);
  });

  test('has a warning where an ID is of a column that takes different texts for the same, until it makes them one', async () => {
    const change = `CREATE EXTENSION IF NOT EXISTS citext; DROP DOMAIN IF EXISTS outer_org, inner_org;
      CREATE DOMAIN inner_org AS citext; CREATE DOMAIN outer_org AS inner_org; ALTER TABLE changed ALTER org TYPE outer_org;
      CREATE COLLATION IF NOT EXISTS any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      ALTER TABLE changed ALTER owner TYPE text COLLATE any_case`;
    const { warnings } = await examinedWith(change);
    const told = warnings.map(({ field, problem }) => `${field}: ${problem}`).join();
    assert.match(
      told,
      /^fields\.organization_id: org takes texts .* lower\("org"::text\) .*,fields\.created_by_id: owner /,
    );
    const [organization_id, created_by_id] = ['org', 'owner'].map(name => ({ sql: `lower(${name}::text)` }));
    assert.deepEqual((await examinedWith(change, { organization_id, created_by_id })).warnings, []);
    const numbers = 'ALTER TABLE changed ADD n numeric DEFAULT 1.0, ADD scaled numeric(9, 2) DEFAULT 1';
    const of = async (sql: string) => (await examinedWith(numbers, { organization_id: { sql } })).warnings;
    assert.match(
      (await of('n'))[0]?.problem ?? '',
      /^n takes texts such as .* or 1 and 1\.0, .* "n"::bigint$/,
    );
    assert.deepEqual([...(await of('n::bigint')), ...(await of('scaled'))], []);
  });

  test('has a warning where no column is recognized as the key', async () => {
    const { warnings } = await examinedWith('ALTER TABLE changed DROP "key", DROP "keyDigest", DROP value');
    assert.match(warnings[0]?.problem ?? '', /^no column is recognized as the one with keys/);
  });

  const refused: [sql: string, rule: RegExp][] = [
    ['api_keys::text', /names the table as a whole/],
    ["to_jsonb(api_keys) ->> 'key'", /names the table as a whole/],
    [`public.api_keys.to_jsonb ->> 'key'`, /names the table as a whole|full keys/],
    ['row_to_json(api_keys.*)::text', /names the table as a whole/],
    ['(SELECT min(relname) FROM pg_class)', /a query, an aggregate or a set/],
    ['(SELECT "key" FROM public.api_keys AS other LIMIT 1)', /a query, an aggregate or a set/],
    ['U&"k\\0065y"', /the column key has full keys/],
    ['count(*)::text', /an aggregate or a set is not allowed/],
    ['generate_series(1, 2)::text', /an aggregate or a set is not allowed/],
    ['last_value(name) OVER ()', /an aggregate or a set is not allowed/],
    ...["E'a\\'", '$a$', "'a", '"a', "a) || ('", '(name', 'name) AS key, (name', 'name), ("key"'].map(
      (sql): [string, RegExp] => [sql, /PostgreSQL refuses it/],
    ),
    [`query_to_xml('select "key" from api_keys', true, true, '')::text`, /runs SQL or reads files|a query/],
    [`pg_read_file('postgresql.conf')`, /runs SQL or reads files/],
    [`convert_from(lo_get(1), 'UTF8')`, /runs SQL or reads files/],
    [`pg_catalog.table_to_xml('public.api_keys'::regclass, true, true, '')::text`, /runs SQL or reads files/],
  ];
  test("can't have a name from SQL that reads more than its row", async () => {
    for (const [sql, rule] of refused) {
      const { faults: found } = await examined({ name: { sql } });
      assert.match(found[0]?.problem ?? '', rule, sql);
    }
  });

  test("can't have a name from a column that is named in a way that only PostgreSQL reads", async () => {
    const long = 'a'.repeat(62);
    const change = `ALTER TABLE changed ADD "🔑" text, ADD changed text, ADD "${long}b" text;
      UPDATE changed SET "🔑" = "key", "${long}b" = "key"`;
    for (const [sql, rule] of [
      ['🔑', /the column 🔑 has full keys/],
      [`${long}bc`, /has full keys/],
      ['(changed.*)::text', /names the table as a whole/],
    ] as const) {
      const { faults: found } = await examinedWith(change, { name: { sql } });
      assert.match(found[0]?.problem ?? '', rule, sql);
    }
  });

  test('is refused where the role may make no view to ask PostgreSQL what an expression reads', async t => {
    const { client } = database;
    const name = new URL(database.url).pathname.slice(1);
    const url = await newRole(
      t as Scope,
      database,
      role => `GRANT SELECT ON api_keys TO ${role}; REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`,
    );
    t.after(() => client.query(`GRANT TEMPORARY ON DATABASE ${name} TO PUBLIC`));
    const examined = examine(url, { table: 'public.api_keys', fields: FIELDS, filters: [] });
    await assert.rejects(examined, /can't be asked which columns an expression reads: .* temporary views$/);
  });

  test("can't have a name or a hint from full keys or hashes in a column of any name", async () => {
    for (const field of ['name', 'partial_key_hint'])
      for (const source of [{ column: 'value' }, { sql: `left(value, 12) || '...' || right(value, 4)` }]) {
        const { faults: found } = await examined({ [field]: source });
        assert.match(
          found[0]?.problem ?? '',
          /^the column value has full keys or hashes of keys, by its values/,
        );
      }
  });

  test('may have a name or a hint from JSON, which has IDs in it', async () => {
    const json = `json_build_object('hint', 'wxyz', 'id', md5(id), 'workspace', md5(org))::text`;
    const found = await examinedWith(
      `ALTER TABLE changed ADD metadata text; UPDATE changed SET metadata = ${json}`,
      {
        partial_key_hint: { sql: `'sk...' || (metadata::jsonb ->> 'hint')` },
      },
    );
    assert.deepEqual(found, { faults: [], warnings: [] });
  });

  test("can't have a hint whose start is a full key or a hash, however it is made", async () => {
    const { faults: found } = await examined({ partial_key_hint: { sql: `md5(owner || id) || '...____'` } });
    assert.match(found[0]?.problem ?? '', /^100 of 100 sampled rows would show what looks like a full key/);
  });

  for (const sql of [
    `data ->> 'token'`,
    `data #>> '{more,hash}'`,
    `encode(sha256(id::bytea), 'hex')`,
    `'sk_live_' || translate(id, 'abc', 'XYZ')`,
  ])
    test(`can't have any ID from ${sql}, by what comes of it`, async () => {
      const change = `ALTER TABLE changed ADD data jsonb; UPDATE changed SET data = json_build_object('token',
        'sk_live_' || md5(id), 'more', json_build_object('hash', encode(sha256(id::bytea), 'hex')))`;
      const ids = ['organization_id', 'id', 'created_by_id', 'workspace_id'];
      const fields = Object.fromEntries(ids.map(field => [field, { sql }]));
      const { faults: found } = await examinedWith(change, fields);
      assert.equal(found.length, ids.length);
      for (const { problem } of found)
        assert.match(problem, /^(?:9\d|100) of 100 sampled rows would show what looks like a full key/);
    });

  test('has a warning for a row that breaks a rule or has a full key, or that an expression fails on, without its value', async () => {
    const failing = { workspace_id: { sql: `CASE WHEN name = 'x' THEN name::int END` } };
    const rows: [set: string, fields: object, warning: string][] = [
      ["id = 'a b'", {}, 'fields.id: 1 of 100 sampled rows break its rule: must be 1 to 255'],
      [
        "name = 'acme_live_4eC39HqLyjWDarjtT1zdp7dc'",
        {},
        'fields.name: 1 of 100 sampled rows would show what looks like a full key',
      ],
      ["name = 'x'", failing, 'fields.workspace_id: the expression fails on a row (22P02)'],
    ];
    for (const [set, fields, warning] of rows) {
      const change = `ALTER TABLE changed ALTER id DROP NOT NULL; UPDATE changed SET ${set} WHERE ctid = '(0,1)'`;
      const { faults: none, warnings } = await examinedWith(change, fields);
      assert.deepEqual(none, []);
      assert.equal(warnings.length, 1, JSON.stringify(warnings));
      const [first] = warnings.map(({ field, problem }) => `${field}: ${problem}`);
      assert(first?.startsWith(warning), `${first}`);
      assert.doesNotMatch(first ?? '', /4eC39|sk-abcdef|'x'|a b/);
    }
  });

  test("has no message of a vendor's function, nor one about a value, which may have that in it", async () => {
    const raising = (
      code: string,
    ) => `CREATE OR REPLACE FUNCTION masked(text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS
      $$BEGIN RAISE 'no mask for %', $1 USING ERRCODE = '${code}'; END$$`;
    for (const code of ['P0001', '57014', 'AB123']) {
      await database.client.query(raising(code));
      for (const sql of ['public.masked(owner)', `public.masked('u1')`]) {
        const { faults: found, warnings } = await examined({ name: { sql } });
        const problems = JSON.stringify([...found, ...warnings]);
        assert.match(problems, new RegExp(`\\(${code}\\)`));
        assert.doesNotMatch(problems, /no mask|u1/);
      }
    }
    const { warnings } = await examined({ name: { sql: '(owner::regrole)::text' } });
    assert.match(warnings[0]?.problem ?? '', /^the expression fails on a row \(42704\)/);
    const { faults: found } = await examined({ name: { sql: `('u1'::regrole)::text` } });
    assert.match(found[0]?.problem ?? '', /^PostgreSQL refuses it/);
  });

  test('has a fault where row-level security hides rows from the role, also from the owner', async t => {
    const { client } = database;
    const url = await newRole(
      t as Scope,
      database,
      owner => `DROP TABLE IF EXISTS changed; CREATE TABLE changed AS TABLE api_keys; ALTER TABLE changed OWNER TO ${owner};
        ALTER TABLE changed ENABLE ROW LEVEL SECURITY; GRANT SELECT ON api_keys TO ${owner}`,
    );
    const file = { table: 'public.changed', fields: FIELDS, filters: [] };
    const faultsFor = async (url: string, mapping: object = file) => (await examine(url, mapping)).faults;
    assert.deepEqual(await faultsFor(url), []);
    await client.query('ALTER TABLE changed FORCE ROW LEVEL SECURITY');
    const [fault, ...more] = await faultsFor(url);
    assert.match(fault?.problem ?? '', /^row-level security hides rows from this role/);
    assert.deepEqual([more, await faultsFor(database.url)], [[], []]);
    const joins = [{ from: 'owner', table: 'public.changed', key: 'id', column: 'owner' }];
    const fields = { ...FIELDS, organization_id: { joins } };
    const ofJoins = await faultsFor(url, { table: 'public.api_keys', fields, filters: [] });
    assert.match(JSON.stringify(ofJoins), /row-level security hides rows from this role in \S+changed/);
  });
});
