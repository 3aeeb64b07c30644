/** Pages of vendors' tables with the vendors' own IDs, while the vendors do to their rows what they want. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Client } from 'pg';
import { newestFirst } from '../../../src/service/conformance/model.ts';
import { pageStatement } from '../../../src/service/postgres/pages/page-sql.ts';
import { READER_SETTINGS } from '../../../src/service/postgres/pages/reads.ts';
import { isGreaterText } from '../../../src/service/roster/pages/page.ts';
import type { FilterName } from '../../../src/shared/record/filters.ts';
import type { ApiKeyId } from '../../../src/shared/record/identifier.ts';
import type { CreationRange, Cursor, Scope as ScopeOfCaller } from '../../../src/shared/record/list-query.ts';
import {
  type AdoptedTable,
  assertPage,
  assertWalk,
  serveTable,
} from '../../support/adopted/adopted-table.ts';
import { mixedCase } from '../../support/adopted/mixed-case.ts';
import { Vendor } from '../../support/adopted/vendor.ts';
import { digestOf, quoted } from '../../support/adopted/vendor-table.ts';
import { apiKeyCanary, assertNoTrace } from '../../support/canaries.ts';
import { connect } from '../../support/connect.ts';
import { everyFilter, everyScope } from '../../support/every-filter.ts';
import { describeShape, pageShapes, SHAPE_VALUES } from '../../support/page-shapes.ts';
import { type Scope, suiteScope } from '../../support/scope.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { filterParameters } from '../../support/walk.ts';

const KEYS = 150;
const PAGES = 120;
/** What the names of indexes call the filters. */
const INDEXED = {
  status: 'status',
  workspaceId: 'workspace',
  creatorId: 'created_by',
} as const satisfies Record<FilterName, string>;
const DIRECTIONS = ['after', 'before'] as const;

describe(`a vendor's table (${mixedCase.name})`, () => {
  const scope = suiteScope();
  const random = seededRandom(16);
  const pick = <T>(values: readonly T[]) => values[random(values.length)] as T;
  let served: AdoptedTable;
  let vendor: Vendor;
  let other: Vendor;
  before(async () => {
    served = await serveTable(scope, mixedCase);
    vendor = new Vendor(mixedCase, served, random);
    other = new Vendor(mixedCase, { ...served, organization: 'org_other' }, random);
    await vendor.insert(KEYS);
    await other.insert(KEYS);
  });
  const answerTo = async (query: string) => {
    const { status, body } = await served.service.list(served.secret, query);
    return { status, body: JSON.stringify(body).replace(body.request_id, '') };
  };

  test('has pages equal to those of a model, from any cursor with any filter, times and scope', async () => {
    for (let number = 0; number < PAGES; number++) {
      const cursor: Cursor = {
        direction: pick(DIRECTIONS),
        id: pick([vendor, vendor, vendor, other]).any().id,
      };
      const [from, before] = [vendor.any().createdAt, vendor.any().createdAt];
      const query = {
        limit: 1 + random(20),
        cursor: pick([null, cursor, cursor]),
        filter: pick(everyFilter),
        ...pick([{}, { created: { from } }, { created: { before } }, { created: { from, before } }]),
        ...pick([{}, { scope: pick(everyScope) }]),
      };
      await assertPage(served.reader, served.organization, vendor.keys, query);
    }
  });

  test('has pages that are one range of the index for their filters each, with statistics and without', async t => {
    const { id: cursor } = vendor.any();
    const values = {
      organization: served.organization,
      cursor,
      status: 'archived',
      workspaceId: 'wrkspc_a',
    };
    for (const statistics of [false, true]) {
      if (statistics) await served.client.query('ANALYZE');
      const reader = await connect(t as Scope, served.url);
      for await (const { what, plan, filters } of plansOfPages(reader, {
        ...values,
        creatorId: 'user_a',
      })) {
        const index = ['keyroster_listing', ...filters.map(name => INDEXED[name as FilterName])].join('_');
        assert.match(
          plan,
          new RegExp(`Index Scan( Backward)? using ${index}_[0-9a-f]{8} on`),
          `${what}\n${plan}`,
        );
        assert.doesNotMatch(plan, /Sort|Seq Scan|Bitmap/, `${what}\n${plan}`);
        const range = /^ *Index Cond: .*hashtextextended.*$/m.exec(plan)?.[0] ?? '';
        if (!what.includes('no cursor')) assert.match(range, /ROW\(/, `${what}\n${plan}`);
      }
    }
  });

  for (const direction of DIRECTIONS)
    test(`has exact pages in walks ${direction === 'after' ? 'forward' : 'backward'} beside inserts, updates and deletes`, async () => {
      const [from, before] = [vendor.any(), vendor.any()].map(({ createdAt }) => createdAt).toSorted();
      for (const asked of [
        { filter: {} },
        { filter: { status: 'active' as const } },
        { filter: everyFilter.at(-5) ?? {} },
        { filter: {}, created: { from, before } as CreationRange, scope: everyScope[0] as ScopeOfCaller },
      ]) {
        let changes = 0;
        const change = async (cursor: ApiKeyId) => {
          if (changes++ < 12) await vendor.change(cursor);
          return vendor.keys;
        };
        const limit = 12;
        await assertWalk(
          served.reader,
          served.organization,
          vendor.keys,
          { direction, query: { ...asked, limit } },
          change,
        );
      }
    });

  test('refuses a cursor that was deleted with the bytes for an unknown one', async () => {
    const deleted = vendor.any().id;
    await vendor.delete(deleted);
    const never = vendor.newKey().id;
    for (const direction of DIRECTIONS) {
      const [gone, unknown, others] = await Promise.all(
        [deleted, never, other.any().id].map(id => answerTo(`${direction}_id=${id}`)),
      );
      assert.equal(gone?.status, 400);
      assert.match(String(gone?.body), new RegExp(`${direction}_id: not an API key of this organization`));
      assert.deepEqual(gone, unknown);
      assert.deepEqual(gone, others);
    }
  });

  test('shows nothing of the columns that no field is mapped to, in no answer and in no log line', async () => {
    const { key: canary } = apiKeyCanary();
    await served.client.query(
      `UPDATE ${mixedCase.mapping.table} SET ${mixedCase.unmapped.map(column => `${quoted(column)} = $1 || ${quoted('id')}`)}`,
      [canary],
    );
    const secrets = [canary, ...vendor.keys.map(({ id }) => digestOf(id))];
    const { organization, secret, client, service } = served;
    const queries = everyFilter.map(filter => new URLSearchParams(filterParameters(filter)).toString());
    for (const query of [...queries, `after_id=${vendor.any().id}`, `before_id=${other.any().id}`]) {
      const { body } = await service.list(secret, `limit=1000&${query}`);
      assertNoTrace(secrets, JSON.stringify(body), `the answer to ${query}`);
    }
    const { rows } = await client.query(
      'SELECT a::text FROM keyroster.api_keys AS a WHERE organization_id = $1',
      [organization],
    );
    assert.equal(rows.length, vendor.keys.length);
    assertNoTrace(secrets, JSON.stringify(rows), 'the view');
    assertNoTrace(secrets, service.logText(), 'the log');
  });

  test('has an exact walk from another key of each page, when its cursor was deleted', async () => {
    const { organization, reader } = served;
    const all = vendor.keys.toSorted(newestFirst(isGreaterText)).map(({ id }) => id);
    const pageAfter = (id?: ApiKeyId) => {
      const cursor = id === undefined ? null : { direction: 'after' as const, id };
      return reader.listApiKeys(organization, { limit: 9, cursor, filter: {} });
    };
    const seen: ApiKeyId[] = [];
    for (let page = await pageAfter(); page; ) {
      const ids = page.items.map(({ id }) => id);
      seen.push(...ids);
      if (!page.hasMore) break;
      const [another, cursor] = ids.slice(-2) as [ApiKeyId, ApiKeyId];
      await vendor.delete(cursor);
      assert.equal(await pageAfter(cursor), null);
      page = await pageAfter(another);
    }
    assert.deepEqual(seen, all);
  });
});

/** The plan of each shape of a page over the view, as the service reads it: planned for these values, and for any. */
async function* plansOfPages(
  client: Client,
  values: Readonly<Record<'organization' | 'cursor' | 'status' | 'workspaceId' | 'creatorId', string>>,
): AsyncGenerator<{ readonly what: string; readonly plan: string; readonly filters: readonly string[] }> {
  await client.query(READER_SETTINGS);
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await client.query(`SET plan_cache_mode = ${mode}`);
    for (const shape of pageShapes) {
      const { text, parameters } = pageStatement(shape);
      const literals = parameters.map(name => `'${{ ...SHAPE_VALUES, ...values }[name]}'`);
      await client.query(`PREPARE page AS ${text}`);
      const { rows } = await client.query(`EXPLAIN EXECUTE page(${literals})`);
      await client.query('DEALLOCATE page');
      const plan = rows.map(row => row['QUERY PLAN']).join('\n');
      yield { what: `${describeShape(shape)}, ${mode}`, plan, filters: shape.filters };
    }
  }
}
