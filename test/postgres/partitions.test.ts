import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Client } from 'pg';
import { Refused } from '../../src/roster/errors.ts';
import type { OrganizationId } from '../../src/roster/identifier.ts';
import { connect } from '../support/connect.ts';
import { createOrganization, importKeys, now } from '../support/roster.ts';
import { runCommand } from '../support/run-many-commands.ts';
import { atEndOf, type Scope, suiteScope } from '../support/scope.ts';
import { numberedKeys } from '../support/seeded-service.ts';
import { TEST_ACTOR } from '../support/store-at.ts';
import { partitionedPostgres, postgres, type StoreKind, type TestStore } from '../support/stores.ts';

const PARTITIONS = 4;
const KEYS = 100;
/** So many that each partition has some. */
const organizations = Array.from({ length: 12 }, (_, number) => `org_${number}` as OrganizationId);

describe('a partitioned table of API keys', () => {
  const scope = suiteScope();
  let store: TestStore;
  let client: Client;
  before(async () => {
    ({ store, client } = await openStore(scope, partitionedPostgres));
    const writer = await store.openWriter();
    for (const id of organizations) {
      await writer.createOrganization({ id, name: id, createdAt: now() });
      await importKeys(writer, id, numberedKeys(KEYS));
    }
    await writer.close();
  });

  test('has the columns, rules, indexes and triggers of the plain one', async t => {
    const plain = await openStore(t, postgres);
    assert.deepEqual(await definitions(client), await definitions(plain.client));
  });

  test('has rows in each partition, and lists each organization from one', async t => {
    for (const partition of await partitionsOf(client)) {
      const { rows } = await client.query(`SELECT count(*)::integer AS keys FROM ${partition}`);
      assert.ok(rows[0].keys > 0, partition);
    }
    const reader = await store.openReader();
    atEndOf(t, () => reader.close());
    for (const organization of organizations) {
      const page = await reader.listApiKeys(organization, { limit: 1000, cursor: null, filter: {} });
      assert.equal(page?.items.length, KEYS);
    }
  });

  test('keeps its rules where a partition is written directly', async () => {
    for (const partition of await partitionsOf(client))
      for (const [sql, error] of [
        [`TRUNCATE ${partition}`, /never deleted/],
        [`DELETE FROM ${partition}`, /never deleted/],
        [`UPDATE ${partition} SET created_by_id = 'user_other'`, /never change/],
        [
          `UPDATE ${partition} SET organization_id = '${organizations[0]}x'`,
          /never change|partition constraint/,
        ],
        [`UPDATE ${partition} SET id = ''`, /never change/],
        [`UPDATE ${partition} SET name = repeat('n', 1001)`, /api_keys_name_check/],
      ] as const)
        await assert.rejects(client.query(sql), error, sql);
  });

  test('has an invalid index of one partition told by readiness and by check, with what mends it', async t => {
    const reader = await store.openReader();
    atEndOf(t, () => reader.close());
    assert.deepEqual(await reader.checkReadiness(), []);
    await client.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = (SELECT inhrelid FROM pg_inherits
      WHERE inhparent = 'keyroster.api_keys_listing_status'::regclass ORDER BY inhrelid DESC LIMIT 1)`);
    assert.match(
      (await reader.checkReadiness()).join(),
      /^invalid indexes, .*: api_keys_p3_listing_\w+: REINDEX/,
    );
    const { findings } = await store.check();
    const told = findings.map(({ about, fix }) => [about, fix]);
    const fix = 'REINDEX INDEX CONCURRENTLY "keyroster"."api_keys_listing_status"';
    assert.deepEqual(told, [['plan', fix]]);
    await client.query(fix);
    assert.deepEqual([await reader.checkReadiness(), (await store.check()).findings], [[], []]);
  });

  test('is refused another number, and so is a plain one with API keys', async t => {
    await assertRefused(
      store,
      8,
      /^--partitions: there are 4 already, .* move to another database \(docs\/operations\.md/,
    );
    const plain = await openStore(t, postgres);
    const writer = await plain.store.openWriter();
    const { id } = await createOrganization(writer);
    await importKeys(writer, id, numberedKeys(1));
    await writer.close();
    await assertRefused(
      plain.store,
      8,
      /^--partitions: this database has API keys: move to another database/,
    );
  });
});

test('migrate --partitions says what it does, and keeps the owner and the rights of the table', async t => {
  const { store, client } = await openStore(t, postgres);
  const role = `owner_${process.pid}`;
  await client.query(`CREATE ROLE ${role}; ALTER SCHEMA keyroster OWNER TO ${role};
    ALTER TABLE keyroster.api_keys OWNER TO ${role}; ALTER TABLE keyroster.organizations OWNER TO ${role};
    GRANT SELECT ON keyroster.api_keys TO PUBLIC; GRANT UPDATE (name, status) ON keyroster.api_keys TO PUBLIC`);
  atEndOf(t, async () => {
    await client.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
  });
  const rights = `SELECT relowner::regrole::text AS owner, relacl::text AS rights, (SELECT json_agg(json_build_array(attname, attacl))
    FROM pg_attribute WHERE attrelid = pg_class.oid AND attacl IS NOT NULL) AS columns
    FROM pg_class WHERE oid = $1::regclass`;
  const before = await client.query(rights, ['keyroster.api_keys']);
  const env = { KEYROSTER_DATABASE_URL: store.url };
  const what = `partition api_keys by hash of organization_id, ${PARTITIONS} partitions\n`;
  for (const plan of [['--plan'], []])
    assert.deepEqual(await runCommand(['migrate', '--partitions', String(PARTITIONS), ...plan], { env }), {
      exitCode: 0,
      stdout: what,
      stderr: '',
    });
  assert.deepEqual((await client.query(rights, ['keyroster.api_keys'])).rows, before.rows);
  for (const partition of await partitionsOf(client))
    assert.deepEqual((await client.query(rights, [partition])).rows, [
      { owner: role, rights: null, columns: null },
    ]);
});

async function openStore(scope: Scope, kind: StoreKind) {
  const store = await kind.create();
  atEndOf(scope, () => store.remove());
  return { store, client: await connect(scope, store.url) };
}

async function partitionsOf(client: Client): Promise<string[]> {
  const { rows } = await client.query(`SELECT inhrelid::regclass::text AS name FROM pg_inherits
    WHERE inhparent = 'keyroster.api_keys'::regclass ORDER BY 1`);
  return rows.map(({ name }) => name);
}

async function assertRefused(
  store: Pick<TestStore, 'migrate' | 'planMigration'>,
  partitions: number,
  message: RegExp,
) {
  const isRefusal = (error: unknown) => error instanceof Refused && message.test(error.message);
  await assert.rejects(store.planMigration(partitions), isRefusal);
  await assert.rejects(store.migrate(TEST_ACTOR, undefined, partitions), isRefusal);
}

/** Of the table, as PostgreSQL prints them. */
async function definitions(client: Client): Promise<unknown[]> {
  const { rows } = await client.query(`
    SELECT attname AS name, concat_ws(' ', format_type(atttypid, atttypmod), attcollation, attnotnull, attgenerated,
      pg_get_expr(adbin, adrelid)) AS definition
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = 'keyroster.api_keys'::regclass AND attnum > 0
    UNION ALL SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'keyroster.api_keys'::regclass
    UNION ALL SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger
      WHERE tgrelid = 'keyroster.api_keys'::regclass AND NOT tgisinternal
    UNION ALL SELECT indexrelid::regclass::text, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') FROM pg_index
      WHERE indrelid = 'keyroster.api_keys'::regclass
    ORDER BY 1, 2`);
  assert.ok(rows.length > 30);
  return rows;
}
