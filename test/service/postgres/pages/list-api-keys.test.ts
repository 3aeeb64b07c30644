import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Client } from 'pg';
import { parsePostgresUrl } from '../../../../src/service/postgres/connecting/url.ts';
import { KnownTable } from '../../../../src/service/postgres/pages/known-table.ts';
import { listApiKeys } from '../../../../src/service/postgres/pages/list-api-keys.ts';
import { type PageParameter, pageStatement } from '../../../../src/service/postgres/pages/page-sql.ts';
import { ReadPool } from '../../../../src/service/postgres/pages/read-pool.ts';
import { READER_SETTINGS, type Statement } from '../../../../src/service/postgres/pages/reads.ts';
import type { DeclaredField } from '../../../../src/service/roster/declared-fields.ts';
import type { FilterName } from '../../../../src/shared/record/filters.ts';
import type { ApiKeyId, OrganizationId } from '../../../../src/shared/record/identifier.ts';
import type { ListQuery } from '../../../../src/shared/record/list-query.ts';
import { firstKeys } from '../../../support/changing-roster.ts';
import { connect } from '../../../support/connect.ts';
import { newStore, writerOf } from '../../../support/opened.ts';
import { OWN_TABLE } from '../../../support/own-table.ts';
import { type PageShape, pageShapes, SHAPE_VALUES } from '../../../support/page-shapes.ts';
import { createOrganization, importKeys } from '../../../support/roster.ts';
import { atEndOf, suiteScope } from '../../../support/scope.ts';

/** Fewer keys than in production, to keep `npm test` fast; the plans are the same at 1,000,000. */
const KEYS = Number(process.env.KEYROSTER_TEST_PLAN_KEYS ?? 20_000);

/** One organization has only archived keys, the other none: statistics of the first would mislead the plan for the second. */
const FILL = `
  INSERT INTO keyroster.organizations (id, name) VALUES ('org_all', 'All'), ('org_none', 'None');
  INSERT INTO keyroster.api_keys (organization_id, id, name, created_at, created_by_id, created_by_type,
    partial_key_hint, status, workspace_id)
  SELECT CASE WHEN n % 10 = 0 THEN 'org_all' ELSE 'org_none' END, 'apikey_' || n, 'Key', now() - n * interval '1 second',
    'user_' || n % 40, 'user', 'sk...' || lpad((n % 10000)::text, 4, '0'),
    CASE WHEN n % 10 = 0 THEN 'archived' ELSE 'active' END, 'wrkspc_' || n % 12
  FROM generate_series(1, ${KEYS}) AS n`;

const columns: Readonly<Record<FilterName, string>> = {
  status: 'status',
  workspaceId: 'workspace_id',
  creatorId: 'created_by_id',
};

describe('the plan of a page, over PostgreSQL', () => {
  const scope = suiteScope();
  let client: Client;
  before(async () => {
    client = await connect(scope, (await newStore(scope)).url);
    await client.query(FILL);
    await client.query(READER_SETTINGS);
  });

  for (const statistics of ['without statistics', 'with statistics']) {
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      test(`is one range of the index for its filters, ${statistics}, with ${mode}`, async () => {
        if (statistics === 'with statistics') {
          await client.query('SET default_transaction_read_only = off');
          await client.query('ANALYZE keyroster.api_keys');
        }
        await client.query(`SET plan_cache_mode = ${mode}`);
        for (const shape of pageShapes) {
          const { text, joined, parameters } = pageStatement(shape);
          for (const sql of [text, joined.text]) await assertPlan(shape, sql, parameters);
        }
      });
    }
  }

  async function assertPlan(
    { filters, direction, created = [] }: PageShape,
    text: string,
    parameters: readonly PageParameter[],
  ): Promise<void> {
    const cursor = { cursor: `apikey_${Math.ceil(KEYS * 0.9)}` };
    const literals = parameters.map(parameter => `'${{ ...SHAPE_VALUES, ...cursor }[parameter]}'`).join(', ');
    await client.query(`PREPARE page AS ${text}`);
    const { rows } = await client.query(`EXPLAIN EXECUTE page(${literals})`);
    await client.query('DEALLOCATE page');

    const plan = rows.map(row => row['QUERY PLAN']).join('\n');
    const index = ['api_keys_listing', ...filters.map(name => columns[name])].join('_');
    assert.match(plan, new RegExp(`Index Scan( Backward)? using ${index} on`), plan);
    assert.doesNotMatch(plan, /Sort|Seq Scan|Bitmap/, plan);
    const range = /^ *Index Cond: .*hashtextextended.*$/m.exec(plan)?.[0] ?? '';
    if (direction) assert.match(range, /ROW\(created_at, id\)/, plan);
    const bounds = range.match(/created_at (<|>=) /g)?.length ?? 0;
    const starts = direction && created.includes(direction === 'before' ? 'from' : 'before') ? 1 : 0;
    assert.equal(bounds, created.length - starts, 'one start, and at most one end');
  }
});

/** PostgreSQL decides after five executions whether it plans a statement anew each time. */
const REQUESTS = 8;

test('PostgreSQL plans a page once for a connection, and not again for each request', async t => {
  const store = await newStore(t);
  const writer = await writerOf(t, store);
  const { id } = await createOrganization(writer);
  const keys = firstKeys(1000);
  await importKeys(writer, id, keys);
  await (await connect(t, store.url)).query('ANALYZE'); // as autovacuum does

  const pool = new ReadPool(parsePostgresUrl(store.url), { hasCitus: false, table: OWN_TABLE });
  atEndOf(t, () => pool.close());
  for (const key of keys.slice(0, REQUESTS))
    await listApiKeys(pool, id, { limit: 20, cursor: { direction: 'after', id: key.id }, filter: {} });
  const text =
    "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE name ~ '^keyroster_page_' ORDER BY generic_plans DESC LIMIT 1";
  const pages = await pool.pages(id);
  const plans = await pages.rows({ name: 'plans', text, values: [] });
  assert.deepEqual(plans, [[String(REQUESTS), '0']]);
});

test('a page is one statement, and one after or before a cursor that finds nothing is two', async t => {
  const store = await newStore(t);
  const writer = await writerOf(t, store);
  const { id } = await createOrganization(writer);
  const other = await createOrganization(writer);
  const keys = firstKeys(3);
  await importKeys(writer, id, keys);
  const client = await connect(t, store.url);
  let statements = 0;
  const reads = {
    rows: async <Row extends unknown[]>({ text, values }: Statement) => {
      statements += 1;
      return (await client.query({ text, values: [...values], rowMode: 'array' })).rows as Row[];
    },
  };
  const table = new KnownTable(async () => OWN_TABLE, OWN_TABLE);
  const listed = async (organization: OrganizationId, cursor: ListQuery['cursor']) => {
    statements = 0;
    const page = await listApiKeys({ pages: () => reads, table }, organization, {
      limit: 2,
      cursor,
      filter: {},
    });
    return [page?.count, statements];
  };
  const all = await listApiKeys({ pages: () => reads, table }, id, { limit: 3, cursor: null, filter: {} });
  const [newest, , oldest] = all?.items.map(({ id }) => id) ?? [];
  assert.deepEqual(await listed(id, null), [2, 1]);
  assert.deepEqual(await listed(other.id, null), [0, 1]);
  assert.deepEqual(await listed(id, { direction: 'after', id: newest as ApiKeyId }), [2, 1]);
  assert.deepEqual(await listed(id, { direction: 'before', id: newest as ApiKeyId }), [0, 2]);
  assert.deepEqual(await listed(id, { direction: 'after', id: oldest as ApiKeyId }), [0, 2]);
  assert.deepEqual(await listed(id, { direction: 'after', id: 'apikey_unknown' as ApiKeyId }), [
    undefined,
    2,
  ]);
});

test('a page of each database selects its own fields, though those of another have the same numbers', () => {
  const fields: DeclaredField[] = [
    { number: 1, name: 'tier', type: { kind: 'boolean' } },
    { number: 1, name: 'uses', type: { kind: 'integer' } },
    { number: 1, name: 'uses', type: { kind: 'timestamp' } },
  ];
  const statements = fields.map(field => pageStatement({ filters: [], direction: null }, [field]));
  assert.equal(new Set(statements.map(({ name }) => name)).size, fields.length);
  for (const [index, { text }] of statements.entries())
    assert.match(text, new RegExp(String(fields[index]?.name)));
});
