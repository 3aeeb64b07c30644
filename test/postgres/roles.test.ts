import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { newAdminKey, newRotation } from '../../src/roster/admin-key.ts';
import { AdminKeySecret } from '../../src/roster/admin-key-secret.ts';
import { type Duration, parseDuration } from '../../src/roster/duration.ts';
import type { AdminKeyId, OrganizationId } from '../../src/roster/identifier.ts';
import type { RosterWriter } from '../../src/roster/roster.ts';
import { firstKeys } from '../support/changing-roster.ts';
import { connect } from '../support/connect.ts';
import { blocksIn } from '../support/doc-blocks.ts';
import { modelPage } from '../support/model.ts';
import { type DatabaseWithRoles, databaseWithRoles } from '../support/postgres-roles.ts';
import { createAdminKey, createOrganization, importKeys, now, VENDOR } from '../support/roster.ts';
import { atEndOf, type Scope, suiteScope } from '../support/scope.ts';
import { startService, type TestService } from '../support/service.ts';
import { storeAt } from '../support/store-at.ts';

const ROW = `(organization_id, id, name, created_by_id, created_by_type, partial_key_hint)
  VALUES ($1, $2, 'Key', 'user_1', 'user', 'sk...1')`;
const refusedRight = { code: '42501' };

describe('the roles of PostgreSQL', () => {
  const scope = suiteScope();
  let database: DatabaseWithRoles;
  let operator: RosterWriter;
  let service: TestService;
  before(async () => {
    database = await databaseWithRoles(scope);
    operator = await openWriter(scope, database.urls.operator);
    const reader = await storeAt(database.urls.reader).openReader();
    atEndOf(scope, () => reader.close());
    service = await startService(reader);
    atEndOf(scope, () => service.close());
  });

  test('the operator runs every command, and the reader serves', async () => {
    const { id, secret } = await createOrganization(operator);
    assert.equal((await operator.findOrganization(id)).id, id);
    assert.ok((await operator.listOrganizations()).length >= 1);
    const keys = await importAndChange(operator, id);
    const expected = modelPage(keys, { limit: 20, cursor: null, filter: {} });
    assert.deepEqual((await service.list(secret)).body, expected);
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
    const [adminKey] = await operator.listAdminKeys(id);
    const overlap = parseDuration('1d') as Duration;
    const rotation = newRotation(AdminKeySecret.issue(VENDOR), now());
    await operator.rotateAdminKey(adminKey?.id as AdminKeyId, rotation, overlap);
    await operator.recordAdminKeyUse(new Map([[rotation.id, '2026-11-22']]));
    await operator.revokeAdminKey(adminKey?.id as AdminKeyId, now());
    assert.equal((await service.list(secret)).status, 401);
    const [first, ...entries] = await operator.listAuditEntries({ organizationId: id }, 0, 100);
    assert.equal(first?.databaseUser, 'keyroster_operator');
    assert.equal(entries.at(-1)?.action, 'revoke_admin_key');
  });

  test('the issuer imports, sets statuses, exports, and writes rows itself', async t => {
    const { id, secret } = await createOrganization(operator);
    const issuer = await openWriter(t, database.urls.issuer);
    const keys = await importAndChange(issuer, id);
    const query = { limit: 1000, cursor: null, filter: {} };
    const exported = await issuer.listApiKeys(id, query);
    assert.equal(exported?.items.length, keys.length);
    const recorded = await operator.listAuditEntries({ organizationId: id, action: 'import' }, 0, 100);
    assert.deepEqual(
      recorded.map(({ databaseUser }) => databaseUser),
      ['keyroster_issuer', 'keyroster_issuer'],
    );
    const client = await connect(t, database.urls.issuer);
    await client.query(`INSERT INTO keyroster.api_keys ${ROW}`, [id, 'newest']);
    await client.query("UPDATE keyroster.api_keys SET status = 'archived' WHERE id = 'newest'");
    assert.equal((await service.list(secret, 'status=archived&limit=1')).body.first_id, 'newest');
  });

  test('a revoked admin key stays revoked, whichever role tries to undo it', async t => {
    const { id, secret } = await createOrganization(operator);
    const [key] = await operator.listAdminKeys(id);
    await operator.revokeAdminKey(key?.id as AdminKeyId, now());
    const undo = 'UPDATE keyroster.admin_keys SET revoked_at = NULL';
    await assert.rejects((await connect(t, database.urls.issuer)).query(undo), refusedRight);
    const client = await connect(t, database.urls.operator);
    await assert.rejects(client.query(undo), { message: 'a revocation is final' });
    const again =
      'INSERT INTO keyroster.admin_keys SELECT digest, id, organization_id, name, last_characters';
    await assert.rejects(client.query(`${again} FROM keyroster.admin_keys`), { code: '23505' }); // unique_violation
    await assert.rejects(client.query('DELETE FROM keyroster.admin_keys'), refusedRight);
    assert.equal((await service.list(secret)).status, 401);
  });

  test("the issuer can't make an admin key, so it can't list any organization over HTTP", async t => {
    const { id } = await createOrganization(operator);
    const secret = AdminKeySecret.issue(VENDOR);
    const forged = newAdminKey(secret, { organizationId: id, name: 'forged', createdAt: now() });
    const issuer = await openWriter(t, database.urls.issuer);
    await assert.rejects(issuer.createAdminKey(forged), /the role may not do this/);
    assert.equal((await service.list(secret.reveal())).status, 401);
  });

  test('the issuer of one organization that docs/operations.md shows sees and writes its keys only', async t => {
    const own = 'org_example' as OrganizationId;
    await operator.createOrganization({ id: own, name: 'Example Ltd', createdAt: now() });
    const secret = await createAdminKey(operator, own);
    const other = await createOrganization(operator);
    await importKeys(operator, other.id, firstKeys(1));
    const block = blocksIn('docs/operations.md').find(({ text }) => text.startsWith('CREATE VIEW'));
    await database.administrator.query(String(block?.text));
    const client = await connect(t, await database.urlOf('org_example_issuer'));

    await client.query(`INSERT INTO keyroster.org_example_api_keys (id, name, created_by_id, created_by_type,
      partial_key_hint) VALUES ('k1', 'Key', 'user_1', 'user', 'sk...1')`);
    await client.query("UPDATE keyroster.org_example_api_keys SET status = 'inactive'");
    const seen = await client.query('SELECT id, status FROM keyroster.org_example_api_keys');
    assert.deepEqual(seen.rows, [{ id: 'k1', status: 'inactive' }]);
    assert.equal((await service.list(secret)).body.data[0].status, 'inactive');

    const insert = (table: string) => client.query(`INSERT INTO keyroster.${table} ${ROW}`, [other.id, 'k2']);
    await assert.rejects(insert('org_example_api_keys'), /violates check option/);
    await assert.rejects(insert('api_keys'), refusedRight);
    for (const sql of [
      "UPDATE keyroster.org_example_api_keys SET organization_id = 'org_other'",
      'DELETE FROM keyroster.org_example_api_keys',
      'SELECT * FROM keyroster.api_keys',
      'SELECT * FROM keyroster.admin_keys',
      'SELECT * FROM keyroster.organizations',
    ])
      await assert.rejects(client.query(sql), refusedRight, sql);
    assert.equal((await service.list(other.secret)).body.data.length, 1);
  });
});

async function openWriter(scope: Scope, url: string): Promise<RosterWriter> {
  const writer = await storeAt(url).openWriter();
  atEndOf(scope, () => writer.close());
  return writer;
}

/** Imports keys, imports them changed, sets statuses and sets them back. Returns the keys as they are then. */
async function importAndChange(writer: RosterWriter, organization: OrganizationId) {
  const keys = firstKeys(10);
  const before = keys.map(key => ({ ...key, name: 'before' }));
  assert.equal((await importKeys(writer, organization, before)).inserted, keys.length);
  assert.equal((await importKeys(writer, organization, keys)).updated, keys.length);
  const active = keys.flatMap(key => (key.status === 'active' ? [key.id] : []));
  assert.equal((await writer.setStatus(organization, active, 'inactive')).changed, active.length);
  await writer.setStatus(organization, active, 'active');
  return keys;
}
