import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { pageStatement } from '../../src/postgres/page-sql.ts';
import { pageShapes } from '../support/page-shapes.ts';
import { createOrganization, now } from '../support/roster.ts';
import { startService } from '../support/service.ts';
import { storeAt } from '../support/store-at.ts';
import { CITUS_URL } from '../support/stores.ts';

const skip = CITUS_URL
  ? false
  : 'to run these tests, set KEYROSTER_TEST_CITUS_URL to an empty database with Citus';

// The suites of test/stores and the model run over Citus too when the URL is set.
describe('over Citus', () => {
  const store = storeAt(CITUS_URL ?? 'postgres://none');
  let client: Client;
  before(async () => {
    if (skip) return;
    await store.migrate();
    client = new Client({ connectionString: CITUS_URL });
    await client.connect();
  });
  after(() => client?.end());

  test('the API keys are distributed by organization, and the small tables are on every worker', {
    skip,
  }, async () => {
    const { rows } = await client.query(
      `SELECT table_name::text AS name, citus_table_type AS type, distribution_column AS column
       FROM citus_tables ORDER BY 1`,
    );
    assert.deepEqual(rows, [
      { name: 'keyroster.admin_keys', type: 'reference', column: '<none>' },
      { name: 'keyroster.api_keys', type: 'distributed', column: 'organization_id' },
      { name: 'keyroster.organizations', type: 'reference', column: '<none>' },
    ]);
  });

  test('migrating again changes nothing', { skip }, async () => assert.equal(await store.migrate(), 0));

  test('a revocation is final on every worker too', { skip }, async () => {
    const writer = await store.openWriter();
    const { id } = await createOrganization(writer, { revokedAt: now() }).finally(() => writer.close());
    const undo = 'UPDATE keyroster.admin_keys SET revoked_at = NULL WHERE organization_id = $1';
    await assert.rejects(client.query(undo, [id]), /a revocation is final/);
  });

  test('every page reads one shard in one task', { skip }, async () => {
    for (const { filters, direction } of pageShapes) {
      const { text, parameters } = pageStatement(filters, direction);
      const values = {
        organization: 'org_a',
        status: 'active',
        workspaceId: 'w',
        creatorId: 'u',
        cursor: 'k',
        rows: '21',
      };
      await client.query(`PREPARE page AS ${text}`);
      const literals = parameters.map(parameter => `'${values[parameter]}'`).join(', ');
      const { rows } = await client.query(`EXPLAIN EXECUTE page(${literals})`);
      await client.query('DEALLOCATE page');
      assert.match(rows.map(row => row['QUERY PLAN']).join('\n'), /Task Count: 1\b/);
    }
  });

  test('while a worker is down, its organizations get a 503 and the others are served; when it is back, all are served', {
    skip,
  }, async context => {
    const writer = await store.openWriter();
    const organizations = await Promise.all(Array.from({ length: 32 }, () => createOrganization(writer)));
    await writer.close();
    const { rows: workers } = await client.query(
      `SELECT nodeid, nodeport FROM pg_dist_node WHERE groupid <> 0 AND shouldhaveshards ORDER BY nodeid`,
    );
    const [worker] = workers;
    const nodeOf = `SELECT s.nodeport FROM citus_shards s WHERE s.shardid =
      get_shard_id_for_distribution_column('keyroster.api_keys', $1::text)`;
    const isOn = async (id: string) =>
      (await client.query(nodeOf, [id])).rows[0]?.nodeport === worker.nodeport;
    const isAffected = await Promise.all(organizations.map(({ id }) => isOn(id)));
    assert.ok(
      isAffected.includes(true) && isAffected.includes(false),
      'this worker and the others have organizations',
    );

    const setPort = (port: number) =>
      client.query('UPDATE pg_dist_node SET nodeport = $1 WHERE nodeid = $2', [port, worker.nodeid]);
    context.after(() => setPort(worker.nodeport));
    await setPort(1); // nothing listens there, so the coordinator sees the worker as down
    const reader = await store.openReader();
    context.after(() => reader.close());
    const service = await startService(reader);
    context.after(() => service.close());
    for (const [index, { secret }] of organizations.entries()) {
      assert.equal((await service.list(secret)).status, isAffected[index] ? 503 : 200);
    }
    await setPort(worker.nodeport);
    for (const { secret } of organizations) assert.equal((await service.list(secret)).status, 200);
  });
});
