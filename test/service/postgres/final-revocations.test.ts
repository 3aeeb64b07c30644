import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Issuer, startIssuer } from '../../support/issuer.ts';
import { suiteScope } from '../../support/scope.ts';

const check = (column: string) => new RegExp(`violates check constraint "${column}_check"$`);
const ORGANIZATION_NEVER_CHANGES = /^the ID and the creation of an organization never change$/;
const KEY_NEVER_CHANGES =
  /^the ID, the digest, the organization, the workspace and the creation of an admin key never change$/;
const REVOKED_IS_FINAL = /^a revocation is final$/;
const ONLY_EARLIER = /^the expiry of an admin key only moves earlier$/;
const ORGANIZATIONS_STAY = /^organizations are never deleted$/;
const KEYS_STAY = /^admin keys are never deleted: revoke them$/;

const refused: [what: string, sql: string, error: RegExp][] = [
  ['undoing a revocation', "UPDATE admin_keys SET revoked_at = NULL WHERE id = 'revoked'", REVOKED_IS_FINAL],
  [
    'a later expiry',
    "UPDATE admin_keys SET expires_at = expires_at + interval '1 microsecond' WHERE id = 'expiring'",
    ONLY_EARLIER,
  ],
  ['no expiry any more', "UPDATE admin_keys SET expires_at = NULL WHERE id = 'expiring'", ONLY_EARLIER],
  ['another digest', "UPDATE admin_keys SET digest = decode(repeat('ff', 32), 'hex')", KEY_NEVER_CHANGES],
  ['another ID', "UPDATE admin_keys SET id = id || '_'", KEY_NEVER_CHANGES],
  ['another organization', "UPDATE admin_keys SET organization_id = 'org_other'", KEY_NEVER_CHANGES],
  ['a wider scope', "UPDATE admin_keys SET workspace_id = NULL WHERE id = 'scoped'", KEY_NEVER_CHANGES],
  ['another scope', "UPDATE admin_keys SET workspace_id = 'wrkspc_1'", KEY_NEVER_CHANGES],
  ['another creation', "UPDATE admin_keys SET created_at = created_at - interval '1 day'", KEY_NEVER_CHANGES],
  ['DELETE of admin keys', 'DELETE FROM admin_keys', KEYS_STAY],
  ['TRUNCATE of admin keys', 'TRUNCATE admin_keys', KEYS_STAY],
  [
    'another ID of an organization',
    "UPDATE organizations SET id = 'org_2' WHERE id = 'org_other'",
    ORGANIZATION_NEVER_CHANGES,
  ],
  ['DELETE of an organization', "DELETE FROM organizations WHERE id = 'org_other'", ORGANIZATIONS_STAY],
  ['TRUNCATE of organizations', 'TRUNCATE organizations CASCADE', ORGANIZATIONS_STAY],
  [
    'an organization without a time of its creation',
    "INSERT INTO organizations (id, name, created_at) VALUES ('org_3', 'Three', 'infinity')",
    check('organizations_created_at'),
  ],
  ...['created_at', 'expires_at', 'revoked_at'].map((column): [string, string, RegExp] => [
    `an admin key with ${column} after the year 9999`,
    adminKey('bad', { [column]: "'10000-01-01 00:00:00Z'" }),
    check(`admin_keys_${column}`),
  ]),
];

describe('the tables of organizations and admin keys', () => {
  const scope = suiteScope();
  let issuer: Issuer;
  const rows = async () => [
    (await issuer.query('SELECT * FROM organizations ORDER BY id')).rows,
    (await issuer.query('SELECT * FROM admin_keys ORDER BY id')).rows,
  ];
  before(async () => {
    issuer = await startIssuer(scope);
    await issuer.query(`SET search_path = keyroster;
      INSERT INTO organizations (id, name) VALUES ('org_other', 'Other');
      ${adminKey('revoked', { revoked_at: "'2026-01-01 00:00:00Z'" })};
      ${adminKey('expiring', { expires_at: "'2030-01-01 00:00:00Z'" })};
      ${adminKey('scoped', { workspace_id: "'wrkspc_2'" })};
      ${adminKey('endless', {})}`);
  });

  for (const [what, sql, error] of refused) {
    test(`refuse ${what} and name the rule`, async () => {
      const before = await rows();
      await assert.rejects(issuer.query(sql), { name: 'error', message: error });
      assert.deepEqual(await rows(), before);
    });
  }

  test('accept a revocation, an earlier expiry, a first expiry and other names', async () => {
    for (const sql of [
      "UPDATE admin_keys SET revoked_at = now() WHERE id = 'expiring'",
      "UPDATE admin_keys SET expires_at = expires_at - interval '1 day' WHERE id = 'expiring'",
      "UPDATE admin_keys SET expires_at = now() WHERE id = 'endless'",
      "UPDATE admin_keys SET name = 'new' WHERE id = 'revoked'",
      "UPDATE organizations SET name = 'New' WHERE id = 'org_other'",
      `INSERT INTO organizations (id, name, created_at) VALUES ('org_0', 'Edge', '0001-01-01 00:00:00Z BC')`,
      adminKey('edge', { expires_at: "'9999-12-31 23:59:59.999999Z'" }),
    ])
      assert.equal((await issuer.query(sql)).rowCount, 1, sql);
  });
});

/** Inserts an admin key of `org_other`. The values are SQL. */
function adminKey(id: string, times: Readonly<Record<string, string>>): string {
  const columns = Object.keys(times).map(column => `, ${column}`);
  const values = Object.values(times).map(value => `, ${value}`);
  return `INSERT INTO admin_keys (digest, id, organization_id, name, last_characters${columns.join('')})
    VALUES (sha256('${id}'), '${id}', 'org_other', 'test', 'abcd'${values.join('')})`;
}
