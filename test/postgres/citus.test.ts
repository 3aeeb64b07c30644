import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { storeAt } from '../../src/cli/store.ts';
import { pageShapes, pageStatement } from '../../src/postgres/list-api-keys.ts';

/** An empty database with the Citus extension, on a cluster with workers. */
const URL = process.env.KEYROSTER_TEST_CITUS_URL;
const skip = URL ? false : 'set KEYROSTER_TEST_CITUS_URL to an empty database with Citus to run these';

describe('over Citus', () => {
  let client: Client;
  before(async () => {
    if (skip) return;
    await storeAt(String(URL)).migrate();
    client = new Client({ connectionString: String(URL) });
    await client.connect();
  });
  after(() => client?.end());

  test('the API keys are distributed by organization, the small tables are on every worker', {
    skip,
  }, async () => {
    const { rows } = await client.query(
      `SELECT table_name::text AS name, citus_table_type AS type, distribution_column AS column
       FROM citus_tables WHERE table_name::text LIKE 'keyroster.%' ORDER BY 1`,
    );
    assert.deepEqual(rows, [
      { name: 'keyroster.admin_keys', type: 'reference', column: '<none>' },
      { name: 'keyroster.api_keys', type: 'distributed', column: 'organization_id' },
      { name: 'keyroster.organizations', type: 'reference', column: '<none>' },
    ]);
  });

  test('migrating again changes nothing', { skip }, async () =>
    assert.equal(await storeAt(String(URL)).migrate(), 0),
  );

  test('every page is one task on one shard', { skip }, async () => {
    for (const shape of pageShapes) {
      const { text, parameters } = pageStatement(shape);
      const values = {
        organization: 'org_a',
        status: 'active',
        workspace: 'w',
        creator: 'u',
        cursor: 'k',
        rows: '21',
      };
      await client.query(`PREPARE page AS ${text}`);
      const arguments_ = parameters.map(parameter => `'${values[parameter]}'`).join(', ');
      const { rows } = await client.query(`EXPLAIN EXECUTE page(${arguments_})`);
      await client.query('DEALLOCATE page');
      assert.match(rows.map(row => row['QUERY PLAN']).join('\n'), /Task Count: 1\b/);
    }
  });
});
