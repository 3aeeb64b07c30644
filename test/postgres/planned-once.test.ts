import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePostgresUrl } from '../../src/postgres/connecting/url.ts';
import { listApiKeys } from '../../src/postgres/list-api-keys.ts';
import { Lanes } from '../../src/postgres/serving/lanes.ts';
import { firstKeys } from '../support/changing-roster.ts';
import { connect } from '../support/connect.ts';
import { createOrganization, importKeys } from '../support/roster.ts';
import { atEndOf } from '../support/scope.ts';
import { postgres } from '../support/stores.ts';

/** PostgreSQL decides after five executions whether it plans a statement anew each time. */
const REQUESTS = 8;

test('PostgreSQL plans a page once for a connection, and not again for each request', async t => {
  const store = await postgres.create();
  atEndOf(t, () => store.remove());
  const writer = await store.openWriter();
  atEndOf(t, () => writer.close());
  const { id } = await createOrganization(writer);
  const keys = firstKeys(1000);
  await importKeys(writer, id, keys);
  await (await connect(t, store.url)).query('ANALYZE'); // as autovacuum does

  const lanes = new Lanes(parsePostgresUrl(store.url), { hasCitus: false });
  atEndOf(t, () => lanes.close());
  for (const key of keys.slice(0, REQUESTS))
    await listApiKeys(lanes, id, { limit: 20, cursor: { direction: 'after', id: key.id }, filter: {} });
  const text =
    "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE name = 'keyroster_page_after'";
  const lane = await lanes.pages(id, 20);
  const plans = await lane.rows({ name: 'plans', text, values: [] });
  assert.deepEqual(plans, [[String(REQUESTS), '0']]);
});
