import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Client } from 'pg';
import { pageStatement } from '../../../../src/service/postgres/page-sql.ts';
import { createCitusDatabase, skipWithoutCitus } from '../../../support/citus.ts';
import { connect } from '../../../support/connect.ts';
import { pageShapes } from '../../../support/page-shapes.ts';
import { createOrganization, now } from '../../../support/roster.ts';
import { atEndOf, suiteScope } from '../../../support/scope.ts';
import { type StoreOfTests, storeAt } from '../../../support/store-at.ts';

// The suites of test/service/stores and the model run over Citus too when the URL is set.
describe('over Citus', { skip: skipWithoutCitus }, () => {
  const scope = suiteScope();
  let store: StoreOfTests;
  let client: Client;
  before(async () => {
    const { url, remove } = await createCitusDatabase();
    atEndOf(scope, remove);
    store = storeAt(url);
    await store.migrate();
    client = await connect(scope, url);
  });

  test('a revocation is final', async () => {
    const writer = await store.openWriter();
    const { id } = await createOrganization(writer, { revokedAt: now() }).finally(() => writer.close());
    const undo = 'UPDATE keyroster.admin_keys SET revoked_at = NULL WHERE organization_id = $1';
    await assert.rejects(client.query(undo, [id]), /a revocation is final/);
  });

  test('every page reads one shard in one task', async () => {
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
});
