import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyMigration } from '../../../../src/service/postgres/migrations/apply-migration.ts';
import { type Migration, migrations } from '../../../../src/service/postgres/migrations/schema.ts';
import { createCitusDatabase, skipWithoutCitus } from '../../../support/citus.ts';
import { connect } from '../../../support/connect.ts';
import { writerOf } from '../../../support/opened.ts';
import { createOrganization, importKeys } from '../../../support/roster.ts';
import { runSql } from '../../../support/run-sql.ts';
import { atEndOf } from '../../../support/scope.ts';
import { numberedKeys } from '../../../support/seeded-service.ts';
import { storeAt, TEST_ACTOR } from '../../../support/store-at.ts';

/** What migrations do, on every table. */
const migration: Migration = {
  usableFrom: null,
  concurrently: ['CREATE INDEX CONCURRENTLY IF NOT EXISTS of_name ON keyroster.api_keys (name)'],
  statements: [
    ...['organizations', 'api_keys', 'admin_keys', 'audit_log'].flatMap(table => [
      `ALTER TABLE keyroster.${table} ADD COLUMN region text DEFAULT ''`,
      `ALTER TABLE keyroster.${table} ADD CONSTRAINT ${table}_region CHECK (char_length(region) < 100)`,
    ]),
    `CREATE FUNCTION keyroster.guard_region() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN new.region := coalesce(new.region, ''); RETURN new; END $$`,
    `CREATE TRIGGER guard_region BEFORE INSERT ON keyroster.api_keys
      FOR EACH ROW EXECUTE FUNCTION keyroster.guard_region()`,
    'ALTER TABLE keyroster.api_keys DROP CONSTRAINT api_keys_name_check',
    'ALTER TABLE keyroster.api_keys ADD CONSTRAINT api_keys_name_check CHECK (char_length(name) <= 1000) NOT VALID',
    'ALTER TABLE keyroster.api_keys VALIDATE CONSTRAINT api_keys_name_check',
  ],
};

test('a roster that is distributed can be migrated, and it is told for whose transaction an index waits', {
  skip: skipWithoutCitus,
}, async t => {
  const database = await createCitusDatabase();
  atEndOf(t, database.remove);
  await storeAt(database.url).migrate();
  const writer = await writerOf(t, storeAt(database.url));
  const { id } = await createOrganization(writer);
  await importKeys(writer, id, numberedKeys(100));

  const client = await connect(t, database.url);
  const holder = await connect(t, database.url);
  await holder.query('BEGIN');
  await holder.query('SELECT FROM keyroster.api_keys WHERE organization_id = $1 LIMIT 1', [id]);
  const told: string[] = [];
  const onWaiting = (message: string) => {
    told.push(message);
    holder.query('COMMIT');
  };
  const number = migrations.length + 1;
  await applyMigration(client, onWaiting, {
    actor: TEST_ACTOR,
    number,
    migration,
  });
  assert.match(told[0] ?? '', /^making an index, .*pg_blocking_pids/);
  await client.query("SELECT name FROM keyroster.api_keys WHERE organization_id = $1 AND region = ''", [id]);
  const { rows } = await client.query(
    `SELECT count(*)::text AS number FROM keyroster.audit_log WHERE action = 'migrate'`,
  );
  assert.deepEqual(rows, [{ number: String(number) }]);
});

test('an owner who is no superuser migrates, once Citus knows the role in this database', {
  skip: skipWithoutCitus,
}, async t => {
  const owner = `keyroster_plain_owner_${process.pid}`;
  const { url, coordinator, workers, remove } = await createCitusDatabase();
  atEndOf(t, async () => {
    await remove();
    for (const node of [coordinator, ...workers])
      await runSql(
        Object.assign(new URL(node.url), { pathname: '/postgres' }).href,
        `DROP ROLE IF EXISTS ${owner}`,
      );
  });
  await runSql(Object.assign(new URL(url), { pathname: '/postgres' }).href, `CREATE ROLE ${owner} LOGIN`);
  const client = await connect(t, url);
  await client.query(`GRANT ${owner} TO CURRENT_USER`);
  await client.query(`GRANT CREATE ON DATABASE ${new URL(url).pathname.slice(1)} TO ${owner}`);
  const store = storeAt(Object.assign(new URL(url), { username: owner, password: '' }).href);
  await store.migrate();
  assert.deepEqual(await store.planMigration(), []);
});
