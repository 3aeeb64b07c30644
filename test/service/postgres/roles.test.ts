import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Client } from 'pg';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import type { RosterWriter, WritingMethod } from '../../../src/service/roster/roster.ts';
import type { ImportId, OrganizationId } from '../../../src/shared/record/identifier.ts';
import { acts, given } from '../../support/acts.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { connect } from '../../support/connect.ts';
import { blocksIn } from '../../support/doc-blocks.ts';
import { writerOf } from '../../support/opened.ts';
import { skipBefore } from '../../support/postgres.ts';
import { type DatabaseWithRoles, databaseWithRoles, rolesFile } from '../../support/postgres-roles.ts';
import { createAdminKey, createOrganization, importKeys, importLines, now } from '../../support/roster.ts';
import { atEndOf, type Scope, suiteScope } from '../../support/scope.ts';
import { serveStore, startService, type TestService } from '../../support/service.ts';
import { storeAt } from '../../support/store-at.ts';

const ROW = `(organization_id, id, name, created_by_id, created_by_type, partial_key_hint)
  VALUES ($1, $2, 'Key', 'user_1', 'user', 'sk...1')`;
/** Whose act it is, where it isn't the operator's alone; the operator does what an issuer does. */
const OTHERS: Partial<Record<WritingMethod, 'issuer' | 'owner'>> = {
  importApiKeys: 'issuer',
  putApiKeys: 'issuer',
  feedApiKeys: 'issuer',
  setStatus: 'issuer',
  addField: 'owner',
  removeField: 'owner',
};
const refusedRight = { code: '42501' };

describe('the roles of PostgreSQL', () => {
  const scope = suiteScope();
  let database: DatabaseWithRoles;
  let operator: RosterWriter;
  let service: TestService;
  before(async () => {
    database = await databaseWithRoles(scope);
    operator = await openWriter(scope, database.urls.operator);
    service = await serveStore(scope, storeAt(database.urls.reader));
  });

  for (const [method, act] of Object.entries(acts)) {
    const whose = OTHERS[method as WritingMethod] ?? 'operator';
    test(`${method} is for the ${whose}, and recorded with the role`, async t => {
      const owner = await openWriter(t, database.administratorUrl);
      const issuer = await openWriter(t, database.urls.issuer);
      const setting = await given(owner);
      const last = async () => (await owner.listAuditEntries({}, 0, 10_000)).at(-1);
      for (const [role, writer] of Object.entries({ issuer, operator })) {
        const before = await last();
        if (whose === role || (role === 'operator' && whose !== 'owner')) {
          await act(writer, role === whose ? setting : await given(owner));
          assert.equal((await last())?.databaseUser, `keyroster_${role}`);
        } else {
          await assert.rejects(act(writer, setting), {
            name: 'Refused',
            message: /may not delete: take keyroster_operator|the role may not do this/,
          });
          assert.deepEqual(await last(), before);
        }
      }
    });
  }

  test('the issuer writes rows itself, and the reader serves them', async t => {
    const { id, secret } = await createOrganization(operator);
    const client = await connect(t, database.urls.issuer);
    await client.query(`INSERT INTO keyroster.api_keys ${ROW}`, [id, 'newest']);
    await client.query("UPDATE keyroster.api_keys SET status = 'archived' WHERE id = 'newest'");
    assert.equal((await service.list(secret, 'status=archived&limit=1')).body.first_id, 'newest');
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  });

  test('the issuer writes last uses, by SQL too, which is no change of the key for a revert', async t => {
    const { administrator, administratorUrl, urls } = database;
    const owner = await openWriter(t, administratorUrl);
    await owner.addField({ name: 'last_used_at', type: { kind: 'timestamp' } });
    atEndOf(t, () => owner.removeField('last_used_at'));
    await administrator.query(rolesFile);
    const { id } = await createOrganization(operator);
    const [first, second] = firstKeys(2) as [ApiKey, ApiKey];
    const lines = [first, second].map((key, index) => ({ line: index + 1, organizationId: id, key }));
    const { importId } = await importLines(operator, lines);
    const issuer = await openWriter(t, urls.issuer);
    const use = { organizationId: id, key: { id: first.id, lastUsedAt: first.createdAt } };
    assert.deepEqual(await issuer.feedApiKeys([use]), [{ result: 'updated' }]);
    const bySql = blocksIn('docs/issuing.md').find(({ text }) => /SET last_used_at = now/.test(text));
    const client = await connect(t, urls.issuer);
    for (const key of [first, second])
      await client.query(String(bySql?.text).replace('org_example', id).replace('apikey_1', key.id));
    const revert = (dryRun: boolean) => operator.revertImport(importId as ImportId, { dryRun });
    assert.equal((await revert(true))[0]?.deleted, 2);
    await client.query(
      `UPDATE keyroster.api_keys SET name = 'New', last_used_at = now() WHERE id = '${first.id}'`,
    );
    await assert.rejects(revert(true), /something else changed 1 of the import's API keys/);
  });

  test('a key is deleted, and taken from the archive, only by who may delete and says that it corrects', async t => {
    const { id } = await createOrganization(operator);
    await importKeys(operator, id, [{ ...(firstKeys(1)[0] as ApiKey), status: 'archived' }]);
    const takeOut = `UPDATE keyroster.api_keys SET status = 'active' WHERE organization_id = '${id}'`;
    const remove = `DELETE FROM keyroster.api_keys WHERE organization_id = '${id}'`;
    const correcting = "SET keyroster.correcting = 'on'";
    const issuer = await connect(t, database.urls.issuer);
    await issuer.query(correcting);
    await assert.rejects(issuer.query(takeOut), { message: 'archived is final' });
    await assert.rejects(issuer.query(remove), refusedRight);
    const client = await connect(t, database.urls.operator);
    await assert.rejects(client.query(takeOut), { message: 'archived is final' });
    await assert.rejects(client.query(remove), /API keys are never deleted/);
    await client.query(correcting);
    assert.equal((await client.query(takeOut)).rowCount, 1);
    assert.equal((await client.query(remove)).rowCount, 1);
    // An organization that isn't being deleted stays, whoever asks.
    const removeAll = 'DELETE FROM keyroster.organizations';
    await assert.rejects(issuer.query(removeAll), refusedRight);
    await assert.rejects(client.query(removeAll), /organizations are never deleted/);
  });

  test("the reader's password is rotated by a second role as docs/runbooks.md shows", async t => {
    const { id, secret } = await createOrganization(operator);
    await importKeys(operator, id, firstKeys(3));
    const [create, close] = blocksIn('docs/runbooks.md').filter(
      ({ text }) => /keyroster_reader/.test(text) && /ROLE/.test(text),
    );
    await database.administrator.query(String(create?.text));
    const reader = await storeAt(await database.urlOf('keyroster_reader_2')).openReader();
    atEndOf(t, () => reader.close());
    await database.administrator.query(String(close?.text));
    t.after(() => database.administrator.query('ALTER ROLE keyroster_reader LOGIN'));
    const refused = { code: '28000' }; // invalid_authorization_specification
    await assert.rejects(connect(t, database.urls.reader), refused);
    const other = await startService(reader);
    atEndOf(t, () => other.close());
    assert.equal((await fetch(`${other.url}/readyz`)).status, 200);
    assert.equal((await other.list(secret)).body.data.length, 3);
  });

  describe('the issuer of one organization that docs/postgresql.md shows', () => {
    const own = 'org_example' as OrganizationId;
    const issuerScope = suiteScope();
    let client: Client;
    let secret: string;
    let other: Awaited<ReturnType<typeof createOrganization>>;
    before(async () => {
      await operator.createOrganization({ id: own, name: 'Example Ltd', createdAt: now() });
      secret = await createAdminKey(operator, own);
      other = await createOrganization(operator);
      await importKeys(operator, other.id, firstKeys(1));
      const block = blocksIn('docs/postgresql.md').find(({ text }) => text.startsWith('CREATE VIEW'));
      await database.administrator.query(String(block?.text));
      client = await connect(issuerScope, await database.urlOf('org_example_issuer'));
    });

    test('sees and writes its keys only', async () => {
      await client.query(`INSERT INTO keyroster.org_example_api_keys (id, name, created_by_id, created_by_type,
        partial_key_hint) VALUES ('k1', 'Key', 'user_1', 'user', 'sk...1')`);
      await client.query("UPDATE keyroster.org_example_api_keys SET status = 'inactive'");
      const seen = await client.query('SELECT id, status FROM keyroster.org_example_api_keys');
      assert.deepEqual(seen.rows, [{ id: 'k1', status: 'inactive' }]);
      assert.equal((await service.list(secret)).body.data[0].status, 'inactive');

      for (const table of ['org_example_api_keys', 'api_keys'])
        await assert.rejects(
          client.query(`INSERT INTO keyroster.${table} ${ROW}`, [other.id, 'k2']),
          refusedRight,
        );
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

    test('learns nothing about a key of another organization whose ID it knows, by no statement that meets its row', async () => {
      const [foreign] = (await service.list(other.secret)).body.data;
      const told: string[] = [];
      client.on('notice', ({ message }) => told.push(String(message)));
      await client.query(`CREATE FUNCTION pg_temp.tell(row_text text) RETURNS boolean LANGUAGE plpgsql AS
        $$ BEGIN RAISE NOTICE 'the row is %', row_text; RETURN true; END $$`);
      const columns = 'id, name, created_by_id, created_by_type, partial_key_hint';
      const values = (id: string) => `'${id}', 'Other', 'user_1', 'user', 'sk...1'`;
      const view = 'keyroster.org_example_api_keys AS t';
      const ways = {
        'a condition that is told the row': 'DO UPDATE SET name = t.name WHERE pg_temp.tell(t::text)',
        'the row in the message of a refused check': 'DO UPDATE SET status = t.status',
        'whether the key exists': 'DO NOTHING',
      };
      for (const id of [foreign.id, 'no_such_key'])
        for (const [what, way] of Object.entries(ways)) {
          const insert = `INSERT INTO ${view} (organization_id, ${columns}) VALUES ('${other.id}', ${values(id)})`;
          const inserted = client.query(`${insert} ON CONFLICT (organization_id, id) ${way}`);
          await assert.rejects(inserted, { ...refusedRight, detail: undefined }, what);
        }
      const merge = `MERGE INTO ${view} USING (VALUES ('${other.id}')) AS s (o)
        ON t.organization_id = s.o AND t.id = '${foreign.id}'
        WHEN MATCHED AND pg_temp.tell(t::text) THEN UPDATE SET name = 'x'
        WHEN NOT MATCHED THEN INSERT (organization_id, ${columns}) VALUES (s.o, ${values(foreign.id)})`;
      for (const sql of [
        ...(skipBefore(17) ? [] : [merge]), // into a view
        'COPY keyroster.org_example_api_keys FROM STDIN',
        `INSERT INTO ${view} SELECT * FROM keyroster.org_example_api_keys`,
        `UPDATE ${view} SET organization_id = '${other.id}' WHERE pg_temp.tell(t::text)`,
        `SELECT pg_temp.tell(t::text) FROM ${view} WHERE organization_id = '${other.id}'`,
      ])
        await client.query(sql).catch(({ detail }) => assert.equal(detail, undefined, sql));
      assert.deepEqual([...told], []);

      const insert = `INSERT INTO ${view} (${columns}) VALUES (${values(foreign.id)}) ON CONFLICT (organization_id, id)`;
      const upsert = `${insert} DO UPDATE SET name = excluded.name WHERE pg_temp.tell(t::text)`;
      await client.query(upsert); // an ID counts within its organization, so this makes a key
      assert.deepEqual([...told], []);
      assert.equal((await client.query(upsert)).rowCount, 1);
      assert.deepEqual(
        told.map(text => text.startsWith(`the row is (${own},`)),
        [true],
      );
      assert.deepEqual((await service.list(other.secret)).body.data, [foreign]);
    });
  });
});

const openWriter = (scope: Scope, url: string) => writerOf(scope, storeAt(url));
