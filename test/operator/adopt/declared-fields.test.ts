/** Declared fields of a vendor's own table: its mapping gives them, and everything that shows records has them. */

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { checkStore } from '../../../src/operator/check-store.ts';
import type { StoreReader } from '../../../src/service/roster/pages/reader.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { newRole } from '../../support/adopted/role.ts';
import { databaseWithSimpleTable, mappingJson, TABLE } from '../../support/adopted/simple-table.ts';
import { adopt, examine, type VendorDatabase } from '../../support/adopted/vendor-database.ts';
import { connect } from '../../support/connect.ts';
import { fromJsonLines } from '../../support/import-file.ts';
import { schemaChecker } from '../../support/openapi.ts';
import { readerOf } from '../../support/opened.ts';
import { runCommand } from '../../support/run-many-commands.ts';
import { atEndOf, suiteScope } from '../../support/scope.ts';
import { startService } from '../../support/service.ts';
import { storeAt } from '../../support/store-at.ts';

const TEAM = 'team_1' as OrganizationId;
const COLUMNS = `
  CREATE TYPE plan AS ENUM ('free', 'paid');
  ALTER TABLE ${TABLE} ADD expires timestamptz, ADD used_ms bigint, ADD uses int NOT NULL DEFAULT 3, ADD sso boolean,
    ADD plan plan, ADD region text, ADD secret_hash text, ADD code text;
  UPDATE ${TABLE} SET code = 'acme_live_' || encode(sha256(id::bytea), 'base64'), secret_hash = encode(sha256(id::bytea), 'hex');
  UPDATE ${TABLE} SET expires = '2027-01-02 03:04:05.678901+00', used_ms = 1730332707427, sso = true, plan = 'paid', region = 'eu "1"'
    WHERE id = 'key_4999'`;
const DECLARED = {
  region: { column: 'region', type: 'text', max_length: 20 },
  expires_at: { column: 'expires' },
  last_used_at: { column: 'used_ms', unit: 'ms' },
  uses: { column: 'uses', type: 'integer' },
  sso: { column: 'sso', type: 'boolean' },
  plan: { column: 'plan', type: 'one-of', values: ['free', 'paid'] },
  tier: { constant: 2, type: 'integer' },
};
const VALUES = {
  region: 'eu "1"',
  expires_at: '2027-01-02T03:04:05.678901Z',
  last_used_at: '2024-10-30T23:58:27.427000Z',
  uses: 3,
  sso: true,
  plan: 'paid',
  tier: 2,
};
const NONE = { ...VALUES, region: null, expires_at: null, last_used_at: null, sso: null, plan: null };
const fileWith = (fields: object) => ({ ...mappingJson, fields: { ...mappingJson.fields, ...fields } });

describe("the declared fields of a vendor's own table", () => {
  const scope = suiteScope();
  let database: VendorDatabase;
  const apply = (fields: object) => adopt(database.url, fileWith(fields));
  const set = (values: string) =>
    database.client.query(`UPDATE ${TABLE} SET ${values} WHERE id = 'key_4999'`);
  const run = (...args: string[]) => runCommand(args, { env: { KEYROSTER_DATABASE_URL: database.url } });
  const declaredOf = (record: object, names = Object.keys(VALUES)) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
  const recordsOf = async (reader: StoreReader, limit: number) => {
    const page = await reader.listApiKeys(TEAM, { limit, cursor: null, filter: {} });
    return page?.items.map(({ record }) => JSON.parse(record)) ?? [];
  };
  before(async () => {
    database = await databaseWithSimpleTable(scope);
    await database.client.query(COLUMNS);
    await apply(DECLARED);
    const writer = await storeAt(database.url).openWriter();
    await writer.createOrganization({ id: TEAM, name: 'One', createdAt: 0n as never });
    await writer.close();
  });

  test('are in pages, after those of the contract in the order of the mapping, for a role that may read the view only', async t => {
    const url = await newRole(
      t,
      database,
      role =>
        `GRANT USAGE ON SCHEMA keyroster TO ${role}; GRANT SELECT ON keyroster.migrations, keyroster.api_keys TO ${role}`,
    );
    const reader = await readerOf(t, storeAt(url));
    const [first = {}, second = {}] = await recordsOf(reader, 2);
    assert.deepEqual(declaredOf(first), VALUES);
    assert.deepEqual(Object.keys(first).slice(-7), Object.keys(VALUES));
    assert.deepEqual(declaredOf(second), NONE);
    const service = await startService(reader);
    atEndOf(t, () => service.close());
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as object;
    assert(JSON.stringify(document).includes('"plan":{"anyOf":[{"type":"string","enum":["free","paid"]}'));
    schemaChecker(document)('/components/schemas/ApiKey', first);
    const client = await connect(t, url);
    await assert.rejects(client.query(`SELECT region FROM ${TABLE}`), /permission denied/);
  });

  test('are in exports, in `fields list`, and in what `check` looks at', async () => {
    const json = await run('export', '--organization', TEAM);
    const records = fromJsonLines(json.stdout);
    assert.deepEqual(declaredOf(records.find(({ id }) => id === 'key_4999')), VALUES);
    const csv = await run('export', '--organization', TEAM, '--format', 'csv');
    assert.match(
      csv.stdout.split('\n')[0] ?? '',
      /workspace_id,region,expires_at,last_used_at,uses,sso,plan,tier\r?$/,
    );
    assert.match(
      csv.stdout,
      /^key_4999,.*"eu ""1""",2027-01-02T03:04:05.678901Z,2024-10-30T23:58:27.427000Z,3,true,paid,2\r?$/m,
    );
    const listed = JSON.parse((await run('fields', 'list', '--json')).stdout);
    assert.deepEqual(listed[0], { name: 'region', type: 'text', max_length: 20 });
    assert.deepEqual(
      listed.map(({ name }: { name: string }) => name),
      Object.keys(VALUES),
    );
    assert.deepEqual((await checkStore(storeAt(database.url))).findings, []);
  });

  const wrong: [name: string, values: string, back: string][] = [
    ['expires_at', "expires = 'infinity'", 'expires = NULL'],
    ['region', "region = repeat('canary', 1000000)", 'region = NULL'],
  ];
  for (const [name, values, back] of wrong)
    test(`fail the page that has ${values.slice(0, 40)}, which check finds too`, async t => {
      await set(values);
      t.after(() => set(back));
      await assert.rejects(recordsOf(await readerOf(t, storeAt(database.url)), 2), ({ message }: Error) => {
        assert.match(message, new RegExp(`^the vendor's table: the API key key_4999: ${name}: must be `));
        assert.doesNotMatch(message, /canary|294000|253402/);
        return true;
      });
      const { findings } = await checkStore(storeAt(database.url));
      assert.deepEqual(
        findings.map(({ problem, examples }) => [problem.split(':')[0], examples]),
        [[name, ['key_4999']]],
      );
    });

  test('change with the mapping under a service that runs, and the indexes stay', async t => {
    const reader = await readerOf(t, storeAt(database.url));
    const first = async () => (await recordsOf(reader, 1))[0];
    await set("region = ''");
    assert.equal((await first()).region, null, 'an empty text');
    const indexes = () =>
      database.client.query(`SELECT relfilenode FROM pg_class WHERE relname ~ '^keyroster_' ORDER BY 1`);
    const { rows } = await indexes();
    assert.equal((await first()).uses, 3);
    await apply({ uses: { sql: "'n' || uses", type: 'text', max_length: 9 } });
    await new Promise(resolve => setTimeout(resolve, 1_100));
    assert.deepEqual(declaredOf(await first()), { uses: 'n3' });
    await apply({});
    assert.deepEqual(declaredOf(await first()), {});
    await apply(DECLARED);
    assert.deepEqual((await indexes()).rows, rows);
  });

  test('are refused to `fields add`, which says that the mapping gives them', async () => {
    const { exitCode, stderr } = await run('fields', 'add', 'more', '--type', 'boolean');
    assert.equal(exitCode, 1);
    assert.match(stderr, /its mapping gives fields \(docs\/your-table\.md#/);
  });

  const text = { type: 'text', max_length: 200 };
  /** Its own of each kind: `examine.test.ts` has all that any field refuses. */
  const faults: [fields: object, fault: RegExp][] = [
    [
      { plan: { column: 'secret_hash', ...text } },
      /^the column secret_hash has full keys or hashes of keys, by its name/,
    ],
    [{ expires_at: { sql: 'to_timestamp(length(secret_hash))' } }, /^the column secret_hash has full keys/],
    [{ n: { sql: 'length(code)', type: 'integer' } }, /^the column code has full keys or .* by its values/],
    [
      { plan: { sql: "'sk_live_' || md5(id)", ...text } },
      /sampled rows would show what looks like a full key/,
    ],
    [{ plan: { sql: 'apikey::text', ...text } }, /^names the table as a whole/],
    [{ n: { sql: '1)) OR ((1', type: 'integer' } }, /^PostgreSQL refuses it: syntax error/],
    [{ expires_at: { sql: "expires AT TIME ZONE 'UTC'" } }, /^must be a timestamptz: for a timestamp/],
    [{ expires_at: { column: 'used_ms' } }, /^must be a timestamptz: .*"unit"$/],
    [{ n: { sql: 'uses / 2.0', type: 'integer' } }, /^must be a smallint, integer or bigint/],
    [{ b: { column: 'uses', type: 'boolean' } }, /^must be a boolean/],
  ];
  test("can't come from keys, nor from SQL or a type that doesn't fit", async () => {
    for (const [fields, fault] of faults) {
      const [first, ...more] = (await examine(database.url, fileWith(fields))).faults;
      assert.deepEqual(more, [], String(fault));
      assert.equal(first?.field, `fields.${Object.keys(fields)[0]}`);
      assert.match(first?.problem ?? '', fault);
    }
  });

  test('have warnings for sampled rows that break their rules, without a value', async () => {
    const { faults: none, warnings } = await examine(
      database.url,
      fileWith({
        plan: { sql: "'canary'", type: 'one-of', values: ['free'] },
        expires_at: { sql: "timestamptz 'infinity'" },
      }),
    );
    assert.deepEqual(none, []);
    assert.deepEqual(
      warnings.map(({ field, problem }) => `${field}: ${problem}`),
      [
        'fields.plan: 1000 of 1000 sampled rows break its rule: must be one of free, or null',
        "fields.expires_at: 1000 of 1000 sampled rows break its rule: must be a time of the years 0 to 9999, or NULL; infinity isn't one",
      ],
    );
  });
});
