import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { checkStore } from '../../../../src/operator/check-store.ts';
import type { ApiKey } from '../../../../src/service/roster/api-key.ts';
import type { Finding } from '../../../../src/service/roster/check.ts';
import { Refused } from '../../../../src/shared/record/faults.ts';
import { type AdoptedTable, serveTable } from '../../../support/adopted/adopted-table.ts';
import { mixedCase } from '../../../support/adopted/mixed-case.ts';
import { Vendor } from '../../../support/adopted/vendor.ts';
import { adopt, vendorDatabase } from '../../../support/adopted/vendor-database.ts';
import { type MappingFile, setColumns } from '../../../support/adopted/vendor-table.ts';
import { assertNoTrace } from '../../../support/canaries.ts';
import { atEndOf, type Scope, suiteScope } from '../../../support/scope.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { storeAt } from '../../../support/store-at.ts';
import type { TestStore } from '../../../support/stores.ts';

const KEY_ID = 'must be 1 to 255 of A-Z a-z 0-9 _ - . : | / @ ~, and not the word null or undefined';
const ID = 'must be 1 to 255 of visible ASCII but " \\ < >, and not look like a hash of a key';
const summary = ({ about, problem, count, examples }: Finding) => [about, problem, count, examples];

test("check names every kind of page that a vendor's table has no index for, and its statements make them", async t => {
  const { client, url } = await serveTable(t, mixedCase);
  const store = storeAt(url);
  const indexes = `SELECT format('%I.%I', schemaname, indexname) AS name FROM pg_indexes
    WHERE indexname LIKE 'keyroster\\_%' ORDER BY 1`;
  const { rows } = await client.query<{ name: string }>(indexes);
  await client.query(`DROP INDEX ${rows.map(({ name }) => name)}`);
  const { findings } = await checkStore(store);
  assert.equal(findings.length, rows.length);
  for (const { fix } of findings) for (const statement of fix.split('; ')) await client.query(statement);
  assert.deepEqual((await checkStore(store)).findings, []);
  assert.deepEqual((await client.query(indexes)).rows, rows);
});

describe("check of the rows of a vendor's table", () => {
  const scope = suiteScope();
  let served: AdoptedTable;
  let keys: readonly ApiKey[];
  before(async () => {
    served = await serveTable(scope, mixedCase);
    const { client } = served;
    await client.query(`ALTER TYPE "Auth"."ApiKeyStatus" ADD VALUE 'SUSPENDED'`);
    await client.query(`ALTER TABLE "Auth"."ApiKey" DROP CONSTRAINT "ApiKey_pkey"`);
    for (const column of ['id', 'orgId', 'displayName', 'createdAt', 'ownerId', 'keyHint'])
      await client.query(`ALTER TABLE "Auth"."ApiKey" ALTER "${column}" DROP NOT NULL`);
  });
  beforeEach(async () => {
    await served.client.query('TRUNCATE "Auth"."ApiKey"');
    await served.client.query('ALTER TABLE "Auth"."ApiKey" ADD PRIMARY KEY ("orgId", "id")').catch(() => {});
    const vendor = new Vendor(mixedCase, served, seededRandom(16));
    await vendor.insert(20);
    keys = vendor.keys;
    await served.client.query('ALTER TABLE "Auth"."ApiKey" DROP CONSTRAINT "ApiKey_pkey"');
    for (const column of ['id', 'orgId'])
      await served.client.query(`ALTER TABLE "Auth"."ApiKey" ALTER "${column}" DROP NOT NULL`);
  });

  /** What is wrong with rows. A column of few different names is one of keys where one of them is. */
  const check = async () => {
    const { findings } = await checkStore(storeAt(served.url));
    return findings.filter(({ about }) => about === 'rows').map(summary);
  };
  const SECRET = 'vL9fQ2xT7bR4kW8mZ3nC6hJ1';
  const TIME = 'must be an RFC 3339 timestamp';

  const wrong: Readonly<Record<string, readonly [column: string, value: string | null, problem: string]>> = {
    'an ID that is none': ['id', 'a key', `id: ${KEY_ID}`],
    'no creation time': ['createdAt', null, `created_at: ${TIME}`],
    'a creation time after the year 9999': ['createdAt', '10000-01-01 00:00:00', `created_at: ${TIME}`],
    'no organization': ['orgId', null, `organization_id: ${ID}; else the key is never listed`],
    'a creator that adds to the record': [
      'ownerId',
      'a","type":"user","id":"b',
      'record: is NULL, or an ID, the hint or a type has a quote, a backslash or a control character',
    ],
    'a full key as its name': ['displayName', `sk_live_${SECRET}`, 'name: looks like a full key, or a hash'],
  };
  test('finds each that breaks a rule, and repeats no value', async () => {
    const broken = Object.values(wrong);
    for (const [index, [column, value]] of broken.entries())
      await setColumns(served.client, mixedCase, String(keys[index]?.id), { [column]: value });
    const found = await check();
    for (const [index, [column, , problem]] of broken.entries()) {
      const [, , count, examples] = found.find(([, text]) => String(text).startsWith(problem)) ?? [];
      assert.ok(Number(count) > 0, `${problem} is not among ${JSON.stringify(found)}`);
      if (column !== 'id') assert.ok((examples as string[]).includes(String(keys[index]?.id)), problem);
    }
    assertNoTrace([SECRET], JSON.stringify(found), 'the findings');
  });
});

describe("check of a vendor's table", () => {
  const numberedMapping = (fields: Partial<MappingFile['fields']>, filters: string[] = []): MappingFile => ({
    table: 'public.keys',
    fields: {
      organization_id: { column: 'org' },
      id: { column: 'id' },
      name: { constant: 'key' },
      created_at: { column: 'at', unit: 'ns' } as { column: string },
      created_by_id: { constant: 'user_a' },
      created_by_type: { constant: 'user' },
      partial_key_hint: { constant: 'sk...abcd' },
      status: { constant: 'active' },
      workspace_id: { constant: null },
      ...fields,
    },
    filters,
  });
  /** A small table whose creation time is a number, served with these parts of a mapping. */
  async function numberedTable(
    test: Scope,
    fields: MappingFile['fields'] = {},
    { filters = [], given = '' }: { filters?: string[]; given?: string } = {},
  ) {
    const { url, client } = await vendorDatabase(test);
    await client.query(`
      CREATE TABLE public.keys (id text PRIMARY KEY, org text NOT NULL, at numeric NOT NULL, secret text NOT NULL, kind text);
      INSERT INTO public.keys SELECT 'k' || n, 'org_a', 1700000000000000000 + n * 1000, md5(n::text), 'live' FROM generate_series(1, 10) AS n;
      ${given}`);
    await adopt(url, numberedMapping(fields, filters));
    return { url, client, store: storeAt(url) as TestStore };
  }

  test('finds a field that comes from a column with keys or hashes', async t => {
    const { store } = await numberedTable(t, { name: { column: 'secret' } });
    const [columns, rows, ...others] = (await checkStore(store)).findings;
    assert.deepEqual(others, []);
    assert.equal(columns?.about, 'columns');
    assert.match(
      String(columns?.problem),
      /^fields\.name: the column secret has full keys or hashes of keys/,
    );
    assert.deepEqual([rows?.problem, rows?.count], ['name: looks like a full key, or a hash of one', 10]);
  });

  test('counts rows without an organization as wrong, unless they are meant to be in no list', async t => {
    const sql = "CASE WHEN kind = 'live' THEN org END";
    const { client, url, store } = await numberedTable(t, { organization_id: { sql } });
    await client.query("UPDATE keys SET kind = 'revoked' WHERE id IN ('k3', 'k4')");
    const { findings } = await checkStore(store);
    assert.deepEqual(findings.map(summary), [
      ['rows', `organization_id: ${ID}; else the key is never listed`, 2, ['k3', 'k4']],
    ]);
    await adopt(url, numberedMapping({ organization_id: { sql, unlisted: true } as { sql: string } }));
    assert.deepEqual(await checkStore(store), { findings: [], keys: 8, notLookedAt: [] });
  });

  test('names what the view runs, and tells that an expression fails on a row, without the value', async t => {
    const sql = 'public.vendors(kind)';
    const given = `CREATE FUNCTION vendors(text) RETURNS text LANGUAGE plpgsql IMMUTABLE
      AS $$ BEGIN IF $1 <> 'live' THEN RAISE 'bad %', $1; END IF; RETURN $1; END $$`;
    const fields = { name: { sql }, created_by_id: { sql } };
    const { client, store } = await numberedTable(t, fields, { filters: ['created_by_user_id'], given });
    const { notLookedAt } = await checkStore(store);
    assert.deepEqual(notLookedAt, [
      'function public.vendors(pg_catalog.text), which keyroster.api_keys runs',
    ]);
    const indexes = await client.query(
      "SELECT indexname FROM pg_indexes WHERE indexname LIKE 'keyroster\\_listing\\_created%'",
    );
    for (const { indexname } of indexes.rows) await client.query(`DROP INDEX ${indexname}`);
    await client.query(`UPDATE keys SET kind = 'canary_value' WHERE id = 'k3'`);
    await assert.rejects(checkStore(store), error => {
      assertNoTrace(['canary_value'], inspect(error), 'the error');
      return (
        error instanceof Refused &&
        /^check: an expression of the mapping, or a function, fails on a row \(P0001\): make/.test(
          error.message,
        )
      );
    });
  });

  test('needs no right but to read the view, and says what it could not look at', async t => {
    const { url, client } = await numberedTable(t);
    const role = `check_${process.pid}`;
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'; GRANT USAGE ON SCHEMA keyroster TO ${role};
      GRANT SELECT ON keyroster.api_keys, keyroster.migrations TO ${role}`);
    atEndOf(t, () => client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`));
    const reader = Object.assign(new URL(url), { username: role, password: 'secret' }).href;
    assert.deepEqual(await checkStore(storeAt(reader)), {
      findings: [],
      keys: 10,
      notLookedAt: ['columns that have keys: permission denied for table keys'],
    });
    await client.query(`GRANT SELECT ON public.keys TO ${role};
      REVOKE TEMPORARY ON DATABASE ${new URL(url).pathname.slice(1)} FROM PUBLIC`);
    const { findings, notLookedAt } = await checkStore(storeAt(reader));
    assert.deepEqual(findings, []);
    assert.match(
      notLookedAt.join(),
      /^columns that have keys: adopt: PostgreSQL can't be asked .* temporary views$/,
    );
  });
});
