import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { parseKeyId, parseOwnerId } from '../../../src/shared/record/identifier.ts';
import { exampleRecord } from '../../support/example-record.ts';
import { type Issuer, startIssuer } from '../../support/issuer.ts';
import { suiteScope } from '../../support/scope.ts';

const check = (column: string) =>
  new RegExp(`^new row for relation "api_keys" violates check constraint "api_keys_${column}_check"$`);
const missing = (column: string) =>
  new RegExp(`^null value in column "${column}" .*violates not-null constraint$`);
const NEVER_CHANGES = /^the ID and the creation of an API key never change$/;
const NEVER_DELETED = /^API keys are never deleted: set the status to archived$/;
const GENERATED = /column "record"/;

const BCRYPT = '$2b$12$EixZaYVK1fsbw1ZfbX3OXePaWxn96p36WQoeG6Lruj3vjPGga31lW';

/** Values that an insert is refused for, and the error. */
const badValues: [column: string, values: unknown[], error: RegExp][] = [
  ['id', ['', 'a'.repeat(256), 'a b', 'ä', 'a\n', 'a+b', '\u212A', 'null', 'undefined'], check('id')],
  ['created_by_id', ['', 'a'.repeat(256), 'user"1', 'a\n', '<a>', BCRYPT], check('created_by_id')],
  ['workspace_id', ['', 'a'.repeat(256), 'wrkspc 1', 'X03MO1qnZdYdgyfeuILPmQ=='], check('workspace_id')],
  ['created_by_type', ['', 'User', 'robot', 'user '], check('created_by_type')],
  ['status', ['', 'Active', 'deleted', 'archived '], check('status')],
  ['name', ['n'.repeat(1001), '\u{1F511}'.repeat(1001)], check('name')],
  [
    'partial_key_hint',
    [
      '',
      'sk-ven-api03-R2D2C3POBB8igAA',
      'sk-ven...',
      '...igAA',
      'sk-ven…igAA',
      `${'s'.repeat(33)}...igAA`,
      'sk-ven...123456789',
      'sk ven...igAA',
      'sk"ven...igAA',
      'sk-ven...igAA\n',
    ],
    check('partial_key_hint'),
  ],
  [
    'created_at',
    [
      'infinity',
      '-infinity',
      '10000-01-01 00:00:00Z',
      '0002-12-31 23:59:59.999999Z BC',
      '9999-12-31 23:59:59-01',
    ],
    check('created_at'),
  ],
  ...'organization_id id name created_at created_by_id created_by_type partial_key_hint status'
    .split(' ')
    .map((column): [string, unknown[], RegExp] => [column, [null], missing(column)]),
  ['organization_id', ['org_unknown'], /violates foreign key constraint "api_keys_organization_id_fkey"$/],
  ['record', ['{}', null], GENERATED],
];

const badStatements: [what: string, sql: string, error: RegExp][] = [
  [
    'leaving archived',
    "UPDATE keyroster.api_keys SET status = 'active' WHERE status = 'archived'",
    /^archived is final$/,
  ],
  ['another ID', "UPDATE keyroster.api_keys SET id = id || '_'", NEVER_CHANGES],
  ['another organization', "UPDATE keyroster.api_keys SET organization_id = 'org_other'", NEVER_CHANGES],
  [
    'another creation time',
    "UPDATE keyroster.api_keys SET created_at = created_at + interval '1 microsecond'",
    NEVER_CHANGES,
  ],
  ['another creator', "UPDATE keyroster.api_keys SET created_by_id = 'user_2'", NEVER_CHANGES],
  ['a hand-written record', "UPDATE keyroster.api_keys SET record = '{}'", GENERATED],
  [
    'an unmasked hint',
    "UPDATE keyroster.api_keys SET partial_key_hint = 'sk-ven-api03-R2D2C3PO'",
    check('partial_key_hint'),
  ],
  ['DELETE', 'DELETE FROM keyroster.api_keys', NEVER_DELETED],
  ['TRUNCATE', 'TRUNCATE keyroster.api_keys', NEVER_DELETED],
];

describe('the table of API keys', () => {
  const scope = suiteScope();
  let issuer: Issuer;
  before(async () => {
    issuer = await startIssuer(scope);
    await issuer.insert({ status: 'archived' });
  });

  const refuses = async (work: () => Promise<unknown>, message: RegExp) => {
    const before = await issuer.listed();
    await assert.rejects(work, { name: 'error', message });
    assert.deepEqual(await issuer.listed(), before);
  };

  for (const [column, values, error] of badValues)
    test(`refuses a bad ${column} (${values.length === 1 ? values[0] : `${values.length} values`}) and names the rule`, async () => {
      for (const value of values) await refuses(() => issuer.insert({ id: 'bad', [column]: value }), error);
    });

  test('has the rules of IDs that the code has', async () => {
    const part = fc.oneof(
      fc.constantFrom(
        '$',
        '$2b$',
        'PBKDF2$sha256$901$',
        '{SSHA}',
        'scrypt:',
        'pbkdf2_sha256$',
        '{SSHA}',
        '=',
        '==',
        'sha256:',
        '|',
        'null',
        'undefined',
        'MDQ6VXNlcjEyMzQ1Njc4',
        'OQ==',
        '\\',
        '"',
        ' ',
        'ä',
      ),
      ...[22, 27, 38, 43, 86].map(length => fc.stringMatching(new RegExp(`^[A-Za-z0-9+/_-]{${length}}$`))),
      fc.string({ minLength: 1, maxLength: 5 }),
    );
    const text = fc
      .array(part, { minLength: 1, maxLength: 4 })
      .map(parts => parts.join('').replaceAll('\0', ''));
    const texts = fc.sample(text, 3_000);
    for (const [column, parse] of [
      ['id', parseKeyId],
      ['created_by_id', parseOwnerId],
    ] as [column: string, parse: (text: unknown) => unknown][]) {
      const { rows: rules } = await issuer.query(
        `SELECT pg_get_expr(conbin, conrelid) AS rule FROM pg_constraint WHERE conname = 'api_keys_${column}_check'`,
      );
      const { rows } = await issuer.query(
        `SELECT ${rules[0].rule} AS ok FROM unnest($1::text[]) WITH ORDINALITY AS of (${column}, number) ORDER BY number`,
        [texts],
      );
      assert.deepEqual(
        rows.map(({ ok }: { ok: boolean }, index: number) => [texts[index], ok]),
        texts.map(each => [each, parse(each) !== undefined]),
      );
    }
  });

  test('refuses a second row with its ID and names the rule', () =>
    refuses(() => issuer.insert({}), /unique constraint "api_keys_pkey"$/));

  for (const [what, sql, error] of badStatements)
    test(`refuses ${what} and names the rule`, () => refuses(() => issuer.query(sql), error));

  test('values at the limit of a rule are accepted', async () => {
    const edges: Record<string, unknown>[] = [
      { id: 'a'.repeat(255), created_by_id: '-', workspace_id: '_' },
      { id: 'edge_1', name: '', created_by_type: 'service_account', status: 'inactive' },
      { id: 'edge_2', name: '\u{1F511}'.repeat(1000) },
      { id: 'edge_3', partial_key_hint: `${'s'.repeat(32)}...12345678` },
      { id: 'edge_4', partial_key_hint: 's...1', created_at: '0001-01-01 00:00:00Z BC' },
      { id: 'edge_5', created_at: '9999-12-31 23:59:59.999999Z' },
    ];
    const before = await issuer.listed();
    for (const edge of edges) await issuer.insert(edge);
    assert.equal((await issuer.listed()).length, before.length + edges.length);
  });
});

test('a row is listed once its transaction is committed, and not before', async t => {
  const issuer = await startIssuer(t);
  const record = {
    ...exampleRecord,
    id: 'apikey_1',
    name: 'Key',
    created_by: { id: 'user_1', type: 'user' },
    workspace_id: null,
  };
  await issuer.query('BEGIN');
  await issuer.insert({ created_at: '2024-10-31 05:43:27.427722+05:45' });
  assert.deepEqual(await issuer.listed(), []);
  await issuer.query('COMMIT');
  assert.deepEqual(await issuer.listed(), [record]);

  const archive = "UPDATE keyroster.api_keys SET status = 'archived', workspace_id = 'wrkspc_1'";
  await issuer.query(`BEGIN; ${archive}`);
  assert.deepEqual(await issuer.listed(), [record]);
  await issuer.query('COMMIT');
  assert.deepEqual(await issuer.listed(), [{ ...record, status: 'archived', workspace_id: 'wrkspc_1' }]);
});

/** Functions and operators that shadow the ones used by the rules, and return wrong results. */
const SHADOWING_SCHEMA = `
  CREATE SCHEMA shadow;
  CREATE FUNCTION shadow.to_json(text) RETURNS text LANGUAGE sql RETURN '"x","partial_key_hint":"sk-ven-whole-key"';
  CREATE FUNCTION shadow.to_char(timestamp, text) RETURNS text LANGUAGE sql RETURN 'never';
  CREATE FUNCTION shadow.no(text, text) RETURNS boolean LANGUAGE sql RETURN false;
  CREATE OPERATOR shadow.= (LEFTARG = text, RIGHTARG = text, FUNCTION = shadow.no);
  CREATE OPERATOR shadow.<> (LEFTARG = text, RIGHTARG = text, FUNCTION = shadow.no);
  CREATE OPERATOR shadow.~ (LEFTARG = text, RIGHTARG = text, FUNCTION = shadow.no);
  SET search_path = shadow, pg_catalog`;

test("an issuer's own schema changes neither the record nor the rules", async t => {
  const issuer = await startIssuer(t);
  await issuer.query(SHADOWING_SCHEMA);
  await issuer.insert({ name: 'Key', status: 'archived', created_at: '2024-10-30 23:58:27.427722Z' });
  const [record] = await issuer.listed();
  assert.equal(record?.name, 'Key');
  assert.equal(record?.created_at, '2024-10-30T23:58:27.427722Z');
  assert.equal(record?.partial_key_hint, 'sk-ven-api03-R2D...igAA');

  const update = (change: string) => issuer.query(`UPDATE keyroster.api_keys SET ${change}`);
  await assert.rejects(update("status = 'active'"), { message: 'archived is final' });
  await assert.rejects(update("created_by_id = 'user_2'"), /never change/);
  await assert.rejects(update("partial_key_hint = 'sk-ven-whole-key'"), /api_keys_partial_key_hint_check/);
  await assert.rejects(issuer.query('DELETE FROM keyroster.api_keys'), /never deleted/);
  assert.deepEqual(await issuer.listed(), [record]);
});

test("the table of admin keys refuses networks that are none, or too many for a request's check", async t => {
  const issuer = await startIssuer(t);
  const insert = (networks: string) =>
    issuer.query(`INSERT INTO keyroster.admin_keys (digest, id, organization_id, name, last_characters, networks)
      SELECT sha256(random()::text::bytea), md5(random()::text), id, '', '', '${networks}'
      FROM keyroster.organizations LIMIT 1`);
  const wrong = ['', '10.0.0.1,', '10.0.0.0/33', '::/129', '10.0.0.1 ', 'NULL', '::1%lo', '{10.0.0.1}'];
  for (const networks of [
    '10.0.0.1',
    '10.0.0.0/8,2001:DB8::/32,::ffff:10.0.0.1',
    Array(20).fill('::1').join(),
  ])
    await insert(networks);
  for (const networks of [...wrong, Array(21).fill('10.0.0.1').join()])
    await assert.rejects(
      insert(networks),
      /check constraint "admin_keys_networks_check"|invalid input syntax for type inet|malformed/,
    );
});
