import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import { deleteOrganization } from '../../../src/service/roster/organization.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { connect } from '../../support/connect.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { writerOf } from '../../support/opened.ts';
import { ALL, createAdminKey, createOrganization, importKeys, now, sqlite } from '../../support/roster.ts';
import { atEndOf, type Scope } from '../../support/scope.ts';
import { postgres, storeKinds } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

const nothing = () => {};
const deletedMeanwhile = { name: 'Refused', message: /^an organization was deleted meanwhile/ };
/** Of the lock that an insert into the table waits for. */
const PAUSE = 4711;

/** Whoever inserts into the table waits, from the first insert on, until `goOn`. */
async function pauseInserts(scope: Scope, url: string, table: 'imports' | 'admin_keys') {
  const client = await connect(scope, url);
  await client.query('SET citus.enable_unsafe_triggers = on'); // PostgreSQL without Citus takes it and ignores it
  await client.query(`SELECT pg_advisory_lock(${PAUSE})`);
  await client.query(`CREATE FUNCTION public.pause() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${PAUSE}); RETURN new; END $$`);
  await client.query(
    `CREATE TRIGGER pause BEFORE INSERT ON keyroster.${table} FOR EACH ROW EXECUTE FUNCTION public.pause()`,
  );
  atEndOf(scope, async () => {
    await client.query(`SELECT pg_advisory_unlock_all()`);
    await client.query(`DROP TRIGGER pause ON keyroster.${table}`);
    await client.query('DROP FUNCTION public.pause');
  });
  return {
    untilPaused: () => untilWaiting(client, `locktype = 'advisory' AND objid = ${PAUSE}`),
    untilRowLock: () => untilWaiting(client, "locktype = 'transactionid'"),
    goOn: () => client.query('SELECT pg_advisory_unlock_all()'),
  };
}

async function untilWaiting(client: Client, lock: string): Promise<void> {
  const waiting = `SELECT FROM pg_locks WHERE NOT granted AND ${lock}`;
  await until('it waits', async () => (await client.query(waiting)).rowCount !== 0);
}

/** Over SQLite one writer comes after the other. On Citus an import writes on workers, where no test can make it wait. */
describeEachStore(
  'an organization that is deleted while an import into it runs',
  open => {
    test('has no trace of the import', async t => {
      const { id } = await createOrganization(open.writer);
      const keys = firstKeys(3);
      await importKeys(open.writer, id, keys);
      const pause = await pauseInserts(t, open.store.url, 'imports');
      const other = await writerOf(t, open.store);
      const imported = importKeys(other, id, keys.with(0, { ...(keys[0] as ApiKey), name: 'Other' }));
      const refused = assert.rejects(imported, deletedMeanwhile);
      await pause.untilPaused();
      const deleted = deleteOrganization(open.writer, id, now(), nothing);
      await pause.untilRowLock();
      await pause.goOn();
      await Promise.all([refused, deleted]);
      await assert.rejects(open.writer.findOrganization(id), /no organization with this ID/);
      const client = await connect(t, open.store.url);
      for (const table of ['api_keys', 'imports', 'import_statuses'])
        assert.equal((await client.query(`SELECT FROM keyroster.${table}`)).rowCount, 0, table);
    });
  },
  [postgres],
);

describeEachStore(
  'an organization that is deleted while an admin key of it is made',
  open => {
    const adminKeysOf = async (id: OrganizationId) =>
      (await open.writer.listAdminKeys(null, ...ALL)).filter(key => key.organizationId === id).length;

    test('has none when it is gone', async t => {
      const { id } = await createOrganization(open.writer);
      const pause = await pauseInserts(t, open.store.url, 'admin_keys');
      const created = createAdminKey(await writerOf(t, open.store), id);
      await pause.untilPaused();
      assert.equal((await open.writer.deleteNext(id, now(), null)).begun, true);
      const deleted = deleteOrganization(open.writer, id, now(), nothing);
      await Promise.race([deleted, setTimeout(300)]); // it must wait, on Citus for a lock of a worker
      await pause.goOn();
      await Promise.all([created, deleted]);
      assert.equal(await adminKeysOf(id), 0);
    });
  },
  storeKinds.filter(kind => kind !== sqlite),
);
