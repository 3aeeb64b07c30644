import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { adoptionIn } from '../../../src/operator/adopt/open-adoption.ts';
import { checkStore } from '../../../src/operator/check-store.ts';
import { parseApiKey } from '../../../src/service/roster/parse-api-key.ts';
import type { CreatorId, OrganizationId, WorkspaceId } from '../../../src/shared/record/identifier.ts';
import { newRole } from '../../support/adopted/role.ts';
import {
  databaseWithSimpleTable,
  indexNamesOf,
  KEYS,
  simpleMapping,
  TABLE,
} from '../../support/adopted/simple-table.ts';
import { indexesOf, stateOfTable, type VendorDatabase } from '../../support/adopted/vendor-database.ts';
import { connect } from '../../support/connect.ts';
import { exampleRecord } from '../../support/example-record.ts';
import { recordsOf } from '../../support/opened.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import { type Scope, suiteScope } from '../../support/scope.ts';
import { serveScopedCallers } from '../../support/scoped-callers.ts';
import { storeAt, TEST_ACTOR } from '../../support/store-at.ts';

const mapping = simpleMapping();
const wanted = indexNamesOf(mapping)
  .toSorted()
  .map(name => ({ name, isValid: true }));

describe('to adopt a table', () => {
  const scope = suiteScope();
  let database: VendorDatabase;
  let untouched: unknown;
  const steps: string[] = [];
  const options = { actor: TEST_ACTOR, onStep: (what: string) => steps.push(what) };
  const store = () => storeAt(database.url);
  const ourIndexes = async () =>
    (await indexesOf(database.client, TABLE)).filter(({ name }) => name !== 'apikey_pkey');

  before(async () => {
    database = await databaseWithSimpleTable(scope);
    untouched = await stateOfTable(database.client, TABLE);
  });
  beforeEach(() => {
    steps.length = 0;
  });
  const assertTableUntouched = async () =>
    assert.deepEqual(await stateOfTable(database.client, TABLE), untouched);

  test('prints SQL that does it, in an order in which a service has its indexes before the view', async () => {
    await store().migrate();
    const sql = await (await adoptionIn(store())).sql(mapping);
    assert(sql.lastIndexOf('CREATE INDEX CONCURRENTLY') < sql.indexOf('CREATE VIEW'));
    // As psql would: each statement by itself, what is between BEGIN and COMMIT together.
    for (const part of sql.split(/(?<=;)\n\n/)) await database.client.query(part);
    assert.equal((await pageOf('team_1')).length, 20);
    assert.deepEqual(await ourIndexes(), wanted);
    await (await adoptionIn(store())).remove(() => {});
  });

  test('applies the same step by step, and a second time has only the view to make', async () => {
    const adoption = await adoptionIn(store());
    await adoption.apply(mapping, options);
    assert.equal(steps.length, indexNamesOf(mapping).length + 2);
    const page = await pageOf('team_1');
    assert.equal(page[0]?.id, `key_${KEYS - 1}`);
    assert.deepEqual(JSON.parse(page[0]?.record ?? ''), {
      id: `key_${KEYS - 1}`,
      type: 'api_key',
      name: `Key ${KEYS - 1}`,
      created_at: '2024-01-01T01:23:19.000000Z',
      created_by: { id: 'user_1', type: 'user' },
      partial_key_hint: 'sk_9...4999',
      status: 'active',
      workspace_id: null,
    });
    steps.length = 0;
    await adoption.apply(mapping, options);
    assert.deepEqual(steps.slice(1), ['make the view keyroster.api_keys over "public"."apikey"']);
    await assertTableUntouched();
  });

  test('makes the indexes of another mapping, and drops those that it does not use', async () => {
    const other = simpleMapping({ filters: ['created_by_user_id'] });
    await (await adoptionIn(store())).apply(other, options);
    assert.deepEqual(
      (await ourIndexes()).map(({ name }) => name),
      indexNamesOf(other).toSorted(),
    );
    const reader = await store().openReader();
    const asked = (filter: object) =>
      reader.listApiKeys('team_1' as OrganizationId, { limit: 5, cursor: null, filter });
    assert.equal((await asked({ creatorId: 'user_1' }))?.items.length, 5);
    await assert.rejects(asked({ status: 'active' }), { name: 'FilterNotServed', filters: ['status'] });
    await reader.close();
    await assertTableUntouched();
  });

  test('answers a caller whose scope needs a filter that the mapping lacks with a 500, and the log says what to add', async t => {
    const lines: string[] = [];
    const ask = await serveScopedCallers(t, database, { write: line => lines.push(line) });
    for (const query of ['limit=5', 'after_id=key_1', 'created_by_user_id=user_1', 'status=active']) {
      const { status, body } = await ask('team_1', { workspaceId: 'wrkspc_1' as WorkspaceId }, query);
      assert.equal(status, 500, query);
      assert.doesNotMatch(body, /key_|scope|workspace/);
      assert.match(
        lines.splice(0).join(''),
        /the vendor's table: a caller's scope needs the filter workspace_id: add it to \\"filters\\" of the mapping/,
      );
    }
    assert.equal((await ask('team_1', { creatorId: 'user_1' as CreatorId }, 'limit=5')).status, 200);
  });

  test('refuses every write of API keys, through Keyroster and through the view', async () => {
    const writer = await store().openWriter();
    await writer.createOrganization({ id: 'team_1' as OrganizationId, name: 'One', createdAt: 0n as never });
    const onlyRead = /the vendor's own table, which Keyroster only reads/;
    await assert.rejects(importKeys(writer, 'team_1' as OrganizationId, []), onlyRead);
    await assert.rejects(writer.putApiKeys('team_1' as OrganizationId, []), onlyRead);
    await assert.rejects(
      writer.setStatus('team_1' as OrganizationId, ['key_1' as never], 'inactive'),
      onlyRead,
    );
    await writer.close();
    for (const sql of [
      "DELETE FROM keyroster.api_keys WHERE id = 'key_1'",
      "UPDATE keyroster.api_keys SET id = 'x'",
    ])
      await assert.rejects(
        database.client.query(sql),
        /a view that is only read: the API keys are in "public"."apikey"/,
      );
    await assertTableUntouched();
  });

  test("gives the view to whoever may read Keyroster's own table, and nobody needs a right to the vendor's", async t => {
    const url = await newRole(
      t as Scope,
      database,
      role =>
        `GRANT USAGE ON SCHEMA keyroster TO ${role}; GRANT SELECT ON keyroster.migrations, keyroster.api_keys TO ${role}`,
    );
    await (await adoptionIn(store())).apply(mapping, options);
    const reader = await storeAt(url).openReader();
    await reader.checkReadiness();
    assert.equal((await recordsOf(reader, 'team_1' as OrganizationId)).length, 1_000);
    await reader.close();
    const client = await connect(t as Scope, url);
    await assert.rejects(client.query(`SELECT hash FROM ${TABLE}`), /permission denied/);
    await (await adoptionIn(store())).apply(mapping, options); // made anew, the view stays theirs
    await client.query('SELECT FROM keyroster.api_keys LIMIT 1');
  });

  test('waits 2 s for an old snapshot that another holds, says how to find out who, and leaves no broken index', async t => {
    await (await adoptionIn(store())).remove(() => {});
    const other = await connect(t as Scope, `${database.url}?application_name=reports`);
    await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM pg_class');
    const adoption = await adoptionIn(store());
    await assert.rejects(
      adoption.apply(mapping, options),
      /a lock was not free within 2 s \(while it waits, .*pg_blocking_pids/,
    );
    await other.query('ROLLBACK');
    assert.deepEqual(await ourIndexes(), []);
    await adoption.apply(mapping, options);
    assert.deepEqual(await ourIndexes(), wanted);
  });

  test('drops and makes anew an index that is not valid', async () => {
    const [name] = indexNamesOf(mapping);
    await database.client.query(
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = '${name}'::regclass`,
    );
    await (await adoptionIn(store())).apply(mapping, options);
    assert.deepEqual(steps.slice(1, 3), [
      `drop the index ${name}, which is not valid`,
      `make the index ${name}, for the key that a cursor names`,
    ]);
    assert((await ourIndexes()).every(({ isValid }) => isValid));
  });

  test('is taken back whole: the table has its indexes, and Keyroster its own table with its keys', async () => {
    await (await adoptionIn(store())).remove(() => {});
    const indexes = await indexesOf(database.client, TABLE);
    const writer = await store().openWriter();
    const { id } = await createOrganization(writer);
    const parsed = parseApiKey(exampleRecord);
    assert('key' in parsed);
    const { key } = parsed;
    await importKeys(writer, id, [key]);
    const adoption = await adoptionIn(store());
    await adoption.apply(mapping, options);
    assert.deepEqual(await pageOf(id), []);
    await adoption.remove(() => {});
    assert.equal((await pageOf(id)).length, 1);
    assert.equal((await importKeys(writer, id, [key])).unchanged, 1);
    await writer.close();
    assert.deepEqual(await indexesOf(database.client, TABLE), indexes);
    await assertTableUntouched();
    steps.length = 0;
    await adoption.remove(what => steps.push(what));
    assert.deepEqual(steps, []);
  });

  test('needs no right but to read for all but to apply: the proposal, the examination, the SQL and the check', async t => {
    await (await adoptionIn(store())).apply(mapping, options);
    const url = await newRole(
      t as Scope,
      database,
      role => `GRANT SELECT ON ${TABLE} TO ${role}; GRANT USAGE ON SCHEMA keyroster TO ${role};
        GRANT SELECT ON keyroster.migrations, keyroster.api_keys TO ${role};
        ALTER ROLE ${role} SET default_transaction_read_only = on`,
    );
    const before = await stateOfTable(database.client, TABLE);
    const adoption = await adoptionIn(storeAt(url));
    assert.equal((await adoption.propose(TABLE)).catalogue.columns.length, 9);
    assert.deepEqual(await adoption.examine(mapping), []);
    assert.match(await adoption.sql(mapping), /CREATE VIEW keyroster.api_keys/);
    assert.equal((await checkStore(storeAt(url))).keys, KEYS);
    await assert.rejects(
      adoption.apply(mapping, options),
      /the role, .* is set to read only .*, and read-write is needed/,
    );
    assert.deepEqual(await stateOfTable(database.client, TABLE), before);
  });

  async function pageOf(organization: string) {
    const reader = await store().openReader();
    try {
      const query = { limit: 20, cursor: null, filter: {} };
      return (await reader.listApiKeys(organization as OrganizationId, query))?.items ?? [];
    } finally {
      await reader.close();
    }
  }
});
