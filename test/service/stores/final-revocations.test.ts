import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { importKeys, sqlite } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';
import { numberedKey } from '../../support/seeded-service.ts';
import { postgres } from '../../support/stores.ts';

const ORGANIZATION_NEVER_CHANGES = /of an organization never change$/;
const KEY_NEVER_CHANGES =
  /^the ID, the digest, the organization, the workspace and the creation of an admin key never change$/;
const REVOKED_IS_FINAL = /^a revocation is final$/;
const ONLY_EARLIER = /^the expiry of an admin key only moves earlier$/;
const ORGANIZATIONS_STAY = /^organizations are never deleted$/;
const KEYS_STAY = /^admin keys are never deleted: revoke them$/;
const IS_CHECKED = /violates check constraint "\w+_(created|expires|revoked)_at_check"$/;

/** For who writes SQL into a store. On Citus `test/service/postgres/citus/pages.test.ts` has one of these. */
describeEachStore(
  'the tables of organizations, admin keys and API keys',
  (open, kind) => {
    const isSqlite = kind === sqlite;
    const run = (sql: string) =>
      runSql(isSqlite ? open.store.url : `${open.store.url}?options=-c%20search_path%3Dkeyroster`, sql);
    const time = (second: number) => (isSqlite ? String(second) : `to_timestamp(${second})`);
    const [organization, another] = isSqlite ? ['organization', '1'] : ['organization_id', "'org_1'"];
    const digestOf = (id: string) => (isSqlite ? 'randomblob(32)' : `sha256('${id}')`);
    const adminKey = (id: string, more: Readonly<Record<string, string>>) => {
      const all = { created_at: time(1), ...more };
      return `INSERT INTO admin_keys (digest, id, ${organization}, name, last_characters, ${Object.keys(all)})
        VALUES (${digestOf(id)}, '${id}', ${another.replace('1', '2')}, 'test', 'abcd', ${Object.values(all)})`;
    };
    const organizationWith = (id: string, createdAt: string) =>
      `INSERT INTO organizations (id, name, created_at) VALUES ('${id}', 'Name', ${createdAt})`;
    const rows = async () => [
      await run('SELECT * FROM organizations ORDER BY id'),
      await run('SELECT * FROM admin_keys ORDER BY id'),
      await run('SELECT * FROM api_keys ORDER BY id'),
    ];
    before(async () => {
      for (const id of ['org_1', 'org_2']) await run(organizationWith(id, time(1)));
      await run(adminKey('revoked', { revoked_at: time(5) }));
      await run(adminKey('expiring', { expires_at: time(7) }));
      await run(adminKey('scoped', { workspace_id: "'wrkspc_2'" }));
      await run(adminKey('endless', {}));
      await importKeys(open.writer, 'org_2' as OrganizationId, [numberedKey(1, { status: 'archived' })]);
    });

    const refused: [sql: string, error: RegExp][] = [
      ["UPDATE admin_keys SET revoked_at = NULL WHERE id = 'revoked'", REVOKED_IS_FINAL],
      [`UPDATE admin_keys SET revoked_at = ${time(6)} WHERE id = 'revoked'`, REVOKED_IS_FINAL],
      [`UPDATE admin_keys SET expires_at = ${time(8)} WHERE id = 'expiring'`, ONLY_EARLIER],
      ["UPDATE admin_keys SET expires_at = NULL WHERE id = 'expiring'", ONLY_EARLIER],
      [`UPDATE admin_keys SET digest = ${digestOf('other')} WHERE id = 'endless'`, KEY_NEVER_CHANGES],
      ["UPDATE admin_keys SET id = id || '_'", KEY_NEVER_CHANGES],
      [`UPDATE admin_keys SET ${organization} = ${another}`, KEY_NEVER_CHANGES],
      ["UPDATE admin_keys SET workspace_id = NULL WHERE id = 'scoped'", KEY_NEVER_CHANGES],
      ["UPDATE admin_keys SET workspace_id = 'wrkspc_1'", KEY_NEVER_CHANGES],
      ["UPDATE admin_keys SET last_characters = 'wxyz'", KEY_NEVER_CHANGES],
      [`UPDATE admin_keys SET created_at = ${time(0)}`, KEY_NEVER_CHANGES],
      ['DELETE FROM admin_keys', KEYS_STAY],
      ["UPDATE organizations SET id = 'org_3' WHERE id = 'org_1'", ORGANIZATION_NEVER_CHANGES],
      [`UPDATE organizations SET created_at = ${time(0)}`, ORGANIZATION_NEVER_CHANGES],
      ['DELETE FROM organizations', ORGANIZATIONS_STAY],
      ['DELETE FROM api_keys', /^API keys are never deleted/],
    ];
    const AFTER_9999 = "'10000-01-01 00:00:00Z'";
    const more: typeof refused = isSqlite
      ? [
          ['UPDATE organizations SET number = number + 2', ORGANIZATION_NEVER_CHANGES],
          ["UPDATE api_keys SET id = 'other'", /^the creation of an API key never changes$/],
          ['UPDATE api_keys SET status = 0', /^archived is final$/],
        ]
      : [
          ['TRUNCATE admin_keys', KEYS_STAY],
          ['TRUNCATE organizations CASCADE', ORGANIZATIONS_STAY],
          [organizationWith('org_3', "'infinity'"), IS_CHECKED],
          [adminKey('bad', { created_at: AFTER_9999 }), IS_CHECKED],
          [adminKey('bad', { expires_at: AFTER_9999 }), IS_CHECKED],
          [adminKey('bad', { revoked_at: AFTER_9999 }), IS_CHECKED],
        ];
    for (const [sql, message] of [...refused, ...more])
      test(`refuse ${sql.replaceAll(/\s+/g, ' ')} and name the rule`, async () => {
        const before = await rows();
        await assert.rejects(run(sql), { message });
        assert.deepEqual(await rows(), before);
      });

    test('accept a revocation, an earlier expiry, a first expiry and other names', async () => {
      for (const sql of [
        `UPDATE admin_keys SET revoked_at = ${time(6)} WHERE id = 'expiring'`,
        `UPDATE admin_keys SET expires_at = ${time(6)} WHERE id = 'expiring'`,
        `UPDATE admin_keys SET expires_at = ${time(6)} WHERE id = 'endless'`,
        "UPDATE admin_keys SET name = 'new' WHERE id = 'revoked'",
        "UPDATE organizations SET name = 'New' WHERE id = 'org_2'",
        ...(isSqlite ? [] : [organizationWith('org_0', "'0001-01-01 00:00:00Z BC'")]),
        ...(isSqlite ? [] : [adminKey('edge', { expires_at: "'9999-12-31 23:59:59.999999Z'" })]),
      ])
        assert.equal((await run(`${sql} RETURNING id`)).length, 1, sql);
    });
  },
  [sqlite, postgres],
);
