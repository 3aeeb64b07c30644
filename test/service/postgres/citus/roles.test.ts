import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Client } from 'pg';
import type { Status } from '../../../../src/shared/record/status.ts';
import { type CitusDatabase, createCitusDatabase, skipWithoutCitus } from '../../../support/citus.ts';
import { connect } from '../../../support/connect.ts';
import { readerOf, writerOf } from '../../../support/opened.ts';
import { type Role, rolesFile } from '../../../support/postgres-roles.ts';
import { ALL, createAdminKey, createOrganization, importKeys, now } from '../../../support/roster.ts';
import { atEndOf, type Scope, suiteScope } from '../../../support/scope.ts';
import { numberedKeys } from '../../../support/seeded-service.ts';
import { startService } from '../../../support/service.ts';
import { storeAt } from '../../../support/store-at.ts';

describe('the roles over Citus', { skip: skipWithoutCitus }, () => {
  const scope = suiteScope();
  let database: CitusDatabase;
  let administrator: Client;
  const urlOf = (role: Role) => Object.assign(new URL(database.url), { username: `keyroster_${role}` }).href;
  before(async () => {
    database = await createCitusDatabase();
    atEndOf(scope, database.remove);
    await storeAt(database.url).migrate();
    administrator = await connect(scope, database.url);
    await administrator.query(rolesFile);
    await administrator.query(rolesFile); // again, as after an update
  });

  test('the operator runs every command, the issuer writes, and the reader serves', async t => {
    const operator = await writerOf(t, storeAt(urlOf('operator')));
    const issuer = await writerOf(t, storeAt(urlOf('issuer')));
    const { id, secret } = await createOrganization(operator);
    const keys = numberedKeys(100);
    await importKeys(issuer, id, keys);
    const [first] = keys;
    assert.ok(first);
    await issuer.putApiKeys(id, [{ ...first, name: 'Other' }]);
    await issuer.setStatus(id, [first.id], 'inactive' as Status);
    await createAdminKey(operator, id);
    const [adminKey] = await operator.listAdminKeys(id, ...ALL);
    assert.ok(adminKey);
    const { body, status } = await (await serve(t, urlOf('reader'))).list(secret, 'limit=1000');
    assert.deepEqual([status, body.data.length], [200, 100]);
    await operator.revokeAdminKey(adminKey.id, now());
    assert.equal((await operator.listOrganizations(...ALL)).length, 1);
    assert.ok((await operator.listAuditEntries({ organizationId: id }, 0, 100)).length > 5);
  });

  test('readiness tells that a role lacks the settings of the reader', async t => {
    for (const [url, problem] of [
      [urlOf('reader'), /^$/],
      [database.url, /^the role lacks settings .*: serve as keyroster_reader: .*, then start it again$/],
    ] as const) {
      const reader = await readerOf(t, storeAt(url));
      assert.match((await reader.checkReadiness()).join(), problem);
    }
  });

  test('a worker where a role lacks settings gets all that the coordinator has, of the database and of the role', async t => {
    const query = `SELECT setrole::regrole::text AS role, setdatabase = 0 AS global, setconfig::text AS config
      FROM pg_db_role_setting WHERE setrole::regrole::text ~ '^keyroster_'
        AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database())) ORDER BY 1, 2`;
    const { rows: wanted } = await administrator.query(query);
    assert.match(wanted[0].config, /log_error_verbosity=terse/);
    for (const { url } of database.workers) {
      const worker = await connect(t, url);
      await worker.query('SET citus.enable_ddl_propagation = off');
      const name = new URL(url).pathname.slice(1);
      for (const role of ['reader', 'issuer', 'operator']) {
        await worker.query(`ALTER ROLE keyroster_${role} RESET ALL`);
        await worker.query(`ALTER ROLE keyroster_${role} IN DATABASE ${name} RESET ALL`);
      }
      await administrator.query(rolesFile);
      assert.deepEqual((await worker.query(query)).rows, wanted);
    }
  });
});

async function serve(scope: Scope, url: string) {
  const reader = await readerOf(scope, storeAt(url));
  await reader.checkReadiness();
  const service = await startService(reader);
  atEndOf(scope, () => service.close());
  return service;
}
