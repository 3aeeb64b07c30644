import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import type { OrganizationId } from '../../../../src/shared/record/identifier.ts';
import { type CitusDatabase, createCitusDatabase, join, skipWithoutCitus } from '../../../support/citus.ts';
import { connect } from '../../../support/connect.ts';
import { createOrganization, importKeys, now } from '../../../support/roster.ts';
import { atEndOf, type Scope } from '../../../support/scope.ts';
import { numberedKeys } from '../../../support/seeded-service.ts';
import { storeAt } from '../../../support/store-at.ts';

const skip = skipWithoutCitus;
const KEYS = 300;

test('a new database is distributed: a page needs the coordinator and one worker, an admin key the coordinator alone', {
  skip,
}, async t => {
  const { url } = await database(t, { isCluster: true });
  await storeAt(url).migrate();
  await assertDistributed(await connect(t, url));
  const steps: string[] = [];
  assert.equal(
    await storeAt(url).migrate(undefined, { onWaiting: assert.fail, onStep: s => steps.push(s) }),
    0,
  );
  assert.deepEqual([steps, await storeAt(url).planMigration()], [[], []]);
});

test('a roster that exists is distributed as its plan says, while its pages are served, and nothing is left on the coordinator', {
  skip,
}, async t => {
  const { url, organizations, client } = await rosterThatJoined(t);
  const plan = await storeAt(url).planMigration();
  assert.match(
    plan.join('\n'),
    new RegExp(
      `^distribute organizations by id, .*\ntell Citus of api_keys: .*\ndistribute api_keys \\(about ${2 * KEYS} rows\\) .* on 2 workers: ` +
        'pages are served meanwhile, .*\nhave PostgreSQL refuse .*\ncheck that each API key .*$',
    ),
  );
  assert.deepEqual(await storeAt(url).planMigration(), plan); // it has changed nothing

  const reader = await storeAt(url).openReader();
  const steps: string[] = [];
  let isDone = false;
  const migrating = storeAt(url)
    .migrate(undefined, { onWaiting: () => {}, onStep: step => steps.push(step) })
    .finally(() => {
      isDone = true;
    });
  let pages = 0;
  for (; !isDone; pages += 1) {
    const [organization] = organizations;
    const page = await reader.listApiKeys(organization as never, { limit: 20, cursor: null, filter: {} });
    assert.equal(page?.items.length, 20);
    await setTimeout(5);
  }
  await reader.close();
  assert.equal(await migrating, 0);
  assert.deepEqual(steps, plan);
  assert.ok(pages > 100, `${pages} pages`);
  await assertDistributed(client);
  await assertKeys(client);
});

test('a distribution that is canceled goes on with the next run; API keys that came in of unknown organizations are named then', {
  skip,
}, async t => {
  const { url, client } = await rosterThatJoined(t);
  let steps = 0;
  const canceled = storeAt(url).migrate(undefined, {
    onWaiting: () => {},
    onStep: step => {
      steps += 1;
      if (step.startsWith('distribute api_keys')) void cancelDistribution(client);
    },
  });
  await assert.rejects(canceled, {
    name: 'Refused',
    message:
      'database: it was canceled: by a statement_timeout of the role, or by somebody (canceling statement due to user request); ' +
      'earlier steps are done, if there were any: run "keyroster migrate" again, which does the rest',
  });
  assert.equal(steps, 3);
  assert.match(
    (await storeAt(url).planMigration()).join('\n'),
    new RegExp(`^distribute api_keys \\(about ${2 * KEYS} rows\\) .*: pages are served meanwhile`),
  );

  const unknown = Array.from({ length: 7 }, (_, number) => `org_unknown_${number}`);
  for (const id of unknown)
    await client.query(
      `INSERT INTO keyroster.api_keys (organization_id, id, name, created_by_id, created_by_type, partial_key_hint)
       VALUES ($1, 'k1', 'Key', 'user_1', 'user', 'sk...0000'), ($1, 'k2', 'Key', 'user_1', 'user', 'sk...0000')`,
      [id],
    );
  await assert.rejects(storeAt(url).migrate(), {
    name: 'Refused',
    message:
      'database: 14 API key(s) are of 7 unknown organization(s): org_unknown_0, org_unknown_1, org_unknown_2, org_unknown_3, ' +
      'org_unknown_4 and 2 more; make each with "keyroster organizations create <name> --id <id>", ' +
      'then run "keyroster migrate" again',
  });
  const writer = await storeAt(url).openWriter();
  for (const id of unknown)
    await writer.createOrganization({ id: id as OrganizationId, name: 'Unknown', createdAt: now() });
  await writer.close();
  await storeAt(url).migrate();
  await assertDistributed(client);
});

/** Once it is under way. */
async function cancelDistribution(client: Client): Promise<void> {
  for (let canceled = 0; canceled === 0; await setTimeout(10)) {
    const { rows } = await client.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT create_distributed_table_concurrently%'`);
    canceled = rows.length;
  }
}

async function database(scope: Scope, options: { isCluster: boolean }): Promise<CitusDatabase> {
  const made = await createCitusDatabase(options);
  atEndOf(scope, () => made.remove());
  return made;
}

/** A database with rows that became the coordinator of a cluster then. */
async function rosterThatJoined(scope: Scope) {
  const { url, coordinator, workers } = await database(scope, { isCluster: false });
  const store = storeAt(url);
  await store.migrate();
  const writer = await store.openWriter();
  const organizations = [await createOrganization(writer), await createOrganization(writer)].map(
    ({ id }) => id,
  );
  for (const id of organizations) await importKeys(writer, id, numberedKeys(KEYS));
  await writer.close();
  await join(coordinator, workers);
  return { url, organizations, client: await connect(scope, url) };
}

async function assertDistributed(client: Client): Promise<void> {
  const tables =
    await client.query(`SELECT table_name::text AS name, citus_table_type AS type, distribution_column AS column,
      colocation_id = (SELECT colocation_id FROM citus_tables WHERE table_name = 'keyroster.api_keys'::regclass) AS colocated
    FROM citus_tables ORDER BY 1`);
  assert.deepEqual(tables.rows, [
    { name: 'keyroster.admin_keys', type: 'local', column: '<none>', colocated: false },
    { name: 'keyroster.api_keys', type: 'distributed', column: 'organization_id', colocated: true },
    { name: 'keyroster.disabled_organizations', type: 'local', column: '<none>', colocated: false },
    { name: 'keyroster.fields', type: 'reference', column: '<none>', colocated: false },
    { name: 'keyroster.import_statuses', type: 'distributed', column: 'organization_id', colocated: true },
    { name: 'keyroster.imports', type: 'distributed', column: 'organization_id', colocated: true },
    { name: 'keyroster.migrations', type: 'reference', column: '<none>', colocated: false },
    { name: 'keyroster.organizations', type: 'distributed', column: 'id', colocated: true },
    { name: 'keyroster.store', type: 'reference', column: '<none>', colocated: false },
  ]);
  const kept = await client.query(`SELECT
    (SELECT sum(pg_relation_size(oid)) FROM pg_class WHERE relnamespace = 'keyroster'::regnamespace
      AND relkind = 'r' AND relname ~ '^(api_keys|organizations|imports?_?)')::text AS bytes,
    (SELECT count(*) FROM pg_trigger WHERE tgname IN ('guard_table', 'guard_rows') AND tgenabled = 'O'
      AND tgrelid::regclass::text ~ '^keyroster.(api_keys|organizations|admin_keys|audit_log)$')::text AS triggers,
    (SELECT json_agg(conname || ' ' || convalidated)::text FROM pg_constraint
      WHERE contype = 'f' AND connamespace = 'keyroster'::regnamespace) AS keys`);
  assert.deepEqual(kept.rows, [
    { bytes: '0', triggers: '7', keys: '["api_keys_organization_id_fkey true"]' },
  ]);
  await assertRefused(client, 'TRUNCATE', ' CASCADE');
}

async function assertRefused(client: Client, action: string, end = ''): Promise<void> {
  for (const table of ['organizations', 'admin_keys', 'audit_log', 'api_keys']) {
    const statement = `${action} keyroster.${table}${end}`;
    await assert.rejects(client.query(statement), /never deleted|append-only/, statement);
  }
}

async function assertKeys(client: Client): Promise<void> {
  await assertRefused(client, 'DELETE FROM');
  const { rows } =
    await client.query(`SELECT (SELECT count(*) FROM keyroster.organizations)::text AS organizations,
    (SELECT count(*) FROM keyroster.admin_keys)::text AS admin, (SELECT count(*) FROM keyroster.api_keys)::text AS keys`);
  assert.deepEqual(rows, [{ organizations: '2', admin: '2', keys: String(2 * KEYS) }]);
}
