import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, test } from 'node:test';
import { embeddedStore } from '../../support/embedded-store.ts';
import { atEndOf, suiteScope } from '../../support/scope.ts';

const NEVER_CHANGES =
  /^the ID, the digest, the organization, the workspace and the creation of an admin key never change$/;
const OF_ORGANIZATION = /of an organization never change$/;

const refused: [sql: string, error: RegExp][] = [
  ["UPDATE admin_keys SET revoked_at = NULL WHERE id = 'revoked'", /^a revocation is final$/],
  ["UPDATE admin_keys SET revoked_at = 6 WHERE id = 'revoked'", /^a revocation is final$/],
  ["UPDATE admin_keys SET expires_at = 8 WHERE id = 'expiring'", /only moves earlier$/],
  ["UPDATE admin_keys SET expires_at = NULL WHERE id = 'expiring'", /only moves earlier$/],
  ['UPDATE admin_keys SET digest = zeroblob(32)', NEVER_CHANGES],
  ["UPDATE admin_keys SET id = id || '_'", NEVER_CHANGES],
  ['UPDATE admin_keys SET organization = 3 - organization', NEVER_CHANGES],
  ["UPDATE admin_keys SET workspace_id = NULL WHERE id = 'scoped'", NEVER_CHANGES],
  ["UPDATE admin_keys SET workspace_id = 'wrkspc_1'", NEVER_CHANGES],
  ["UPDATE admin_keys SET last_characters = 'wxyz'", NEVER_CHANGES],
  ['UPDATE admin_keys SET created_at = created_at - 1', NEVER_CHANGES],
  ['DELETE FROM admin_keys', /^admin keys are never deleted: revoke them$/],
  ["UPDATE organizations SET id = id || '_'", OF_ORGANIZATION],
  ['UPDATE organizations SET number = number + 2', OF_ORGANIZATION],
  ['UPDATE organizations SET created_at = 0', OF_ORGANIZATION],
  ['DELETE FROM organizations', /^organizations are never deleted$/],
];

describe("the embedded store's organizations and admin keys", () => {
  const scope = suiteScope();
  let database: DatabaseSync;
  const rows = () =>
    ['organizations', 'admin_keys'].map(table =>
      database.prepare(`SELECT * FROM ${table} ORDER BY id`).all(),
    );
  before(async () => {
    const { file } = await embeddedStore(scope);
    database = new DatabaseSync(file);
    atEndOf(scope, () => database.close());
    database.exec(`
      INSERT INTO organizations (number, id, name, created_at) VALUES (2, 'org_other', 'Other', 1);
      INSERT INTO admin_keys
        (digest, id, organization, name, last_characters, created_at, expires_at, revoked_at, workspace_id)
      VALUES
        (randomblob(32), 'revoked', 2, 'test', 'abcd', 1, NULL, 5, NULL),
        (randomblob(32), 'expiring', 2, 'test', 'abcd', 1, 7, NULL, NULL),
        (randomblob(32), 'endless', 2, 'test', 'abcd', 1, NULL, NULL, NULL),
        (randomblob(32), 'scoped', 2, 'test', 'abcd', 1, NULL, NULL, 'wrkspc_2');`);
  });

  for (const [sql, error] of refused) {
    test(`refuse ${sql} and name the rule`, () => {
      const before = rows();
      assert.throws(() => database.exec(sql), { code: 'ERR_SQLITE_ERROR', message: error });
      assert.deepEqual(rows(), before);
    });
  }

  test('accept a revocation, an earlier expiry, a first expiry and other names', () => {
    for (const sql of [
      "UPDATE admin_keys SET revoked_at = 6 WHERE id = 'expiring'",
      "UPDATE admin_keys SET expires_at = 6 WHERE id = 'expiring'",
      "UPDATE admin_keys SET expires_at = 6 WHERE id = 'endless'",
      "UPDATE admin_keys SET name = 'new' WHERE id = 'revoked'",
      "UPDATE organizations SET name = 'New' WHERE id = 'org_other'",
    ])
      assert.equal(database.prepare(sql).run().changes, 1, sql);
  });
});
