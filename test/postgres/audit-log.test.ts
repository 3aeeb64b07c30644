import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Client } from 'pg';
import { runSql } from '../support/run-sql.ts';
import { atEndOf, suiteScope } from '../support/scope.ts';
import { postgres, type TestStore } from '../support/stores.ts';

const ROLE = 'audit_log_issuer';

describe('a role that may insert entries of the audit log', () => {
  const scope = suiteScope();
  let store: TestStore;
  let client: Client;
  before(async () => {
    store = await postgres.create();
    atEndOf(scope, () => store.remove());
    await runSql(
      store.url,
      `CREATE ROLE ${ROLE} LOGIN PASSWORD 'secret'; GRANT USAGE ON SCHEMA keyroster TO ${ROLE};
       GRANT SELECT, INSERT ON keyroster.audit_log TO ${ROLE}`,
    );
    atEndOf(scope, () => runSql(store.url, `DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`));
    client = new Client(Object.assign(new URL(store.url), { username: ROLE, password: 'secret' }).href);
    await client.connect();
    atEndOf(scope, () => client.end());
  });

  test("can't choose its time or its database user", async () => {
    const { rows } = await client.query(
      `INSERT INTO keyroster.audit_log (recorded_at, database_user, actor, action, details)
       VALUES ('2001-01-01', 'postgres', 'alice', 'import', '{}')
       RETURNING database_user, recorded_at BETWEEN now() AND clock_timestamp() AS recorded_now`,
    );
    assert.deepEqual(rows, [{ database_user: ROLE, recorded_now: true }]);
  });

  test("can't insert an actor that is unprintable or an admin key, or anything but counts", async () => {
    const adminKey = `vendor-admin01-${'a'.repeat(49)}`;
    for (const [actor, action, id, details] of [
      [adminKey, 'import', 'org_1', '{}'],
      ['two\nlines', 'import', 'org_1', '{}'],
      ['', 'import', 'org_1', '{}'],
      ['a'.repeat(129), 'import', 'org_1', '{}'],
      ['alice', 'Import it', 'org_1', '{}'],
      ['alice', 'import', 'a name', '{}'],
      ['alice', 'import', 'org_1', `{"name":"${'a'.repeat(1000)}"}`],
      ['alice', 'import', 'org_1', 'not JSON'],
    ]) {
      const insert = client.query(
        `INSERT INTO keyroster.audit_log (actor, action, organization_id, details) VALUES ($1, $2, $3, $4)`,
        [actor, action, id, details],
      );
      await assert.rejects(insert, /violates check constraint|invalid input syntax for type json/);
    }
  });

  test("can't update, delete or truncate", async () => {
    for (const change of [
      "UPDATE keyroster.audit_log SET actor = 'bob'",
      'DELETE FROM keyroster.audit_log',
      'TRUNCATE keyroster.audit_log',
    ])
      await assert.rejects(client.query(change), { code: '42501' }, change); // insufficient_privilege
  });
});
