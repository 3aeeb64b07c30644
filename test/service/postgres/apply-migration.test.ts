import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyMigration } from '../../../src/service/postgres/apply-migration.ts';
import { LockWatch } from '../../../src/service/postgres/lock-watch.ts';
import { type Migration, migrations } from '../../../src/service/postgres/schema.ts';
import { connect } from '../../support/connect.ts';
import { atEndOf, type Scope } from '../../support/scope.ts';
import { TEST_ACTOR } from '../../support/store-at.ts';
import { postgres } from '../../support/stores.ts';

const migration: Migration = {
  usableFrom: null,
  concurrently: ['CREATE INDEX CONCURRENTLY IF NOT EXISTS of_name ON keyroster.api_keys (name)'],
  statements: [
    "ALTER TABLE keyroster.organizations ADD COLUMN region text DEFAULT ''",
    'ALTER TABLE keyroster.organizations ALTER region SET NOT NULL',
  ],
};

test('a migration makes its indexes concurrently, then runs its statements in one transaction', async t => {
  const { client, apply, validIndexes } = await migratedDatabase(t);
  await apply(migration);
  assert.deepEqual(await validIndexes(), [{ valid: 'true' }]);
  const { rows } = await client.query('SELECT max(number)::text AS number FROM keyroster.migrations');
  assert.deepEqual(rows, [{ number: String(migrations.length + 1) }]);
});

test('an index whose making was interrupted is made again', async t => {
  const { client, apply, validIndexes } = await migratedDatabase(t);
  await client.query('CREATE INDEX of_name ON keyroster.api_keys (name)');
  await client.query(
    `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'keyroster.of_name'::regclass`,
  );
  await apply(migration);
  assert.deepEqual(await validIndexes(), [{ valid: 'true' }]);
});

test('when a statement fails, no other has changed anything, and the migration can be run again', async t => {
  const { client, apply } = await migratedDatabase(t);
  await assert.rejects(apply({ ...migration, statements: [...migration.statements, 'SELECT 1/0'] }), /zero/);
  const columns =
    "SELECT FROM pg_attribute WHERE attrelid = 'keyroster.organizations'::regclass AND attname = 'region'";
  assert.equal((await client.query(columns)).rowCount, 0);
  await apply(migration);
  assert.equal((await client.query(columns)).rowCount, 1);
});

async function migratedDatabase(scope: Scope) {
  const store = await postgres.create();
  atEndOf(scope, () => store.remove());
  const client = await connect(scope, store.url);
  const waiting = { watch: new LockWatch(await connect(scope, store.url)), onWaiting: assert.fail };
  const number = migrations.length + 1;
  return {
    client,
    apply: (one: Migration) =>
      applyMigration(client, waiting, {
        actor: TEST_ACTOR,
        number,
        migration: one,
      }),
    validIndexes: async () => {
      const valid =
        "SELECT indisvalid::text AS valid FROM pg_index WHERE indexrelid = 'keyroster.of_name'::regclass";
      return (await client.query(valid)).rows;
    },
  };
}
