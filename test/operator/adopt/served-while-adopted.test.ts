import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adoptionIn } from '../../../src/operator/adopt/open-adoption.ts';
import { checkStore } from '../../../src/operator/check-store.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import type { ApiKeyId, OrganizationId } from '../../../src/shared/record/identifier.ts';
import { databaseWithSimpleTable, mappingJson, TABLE } from '../../support/adopted/simple-table.ts';
import { adopt, type VendorDatabase } from '../../support/adopted/vendor-database.ts';
import { readerOf, writerOf } from '../../support/opened.ts';
import type { Scope } from '../../support/scope.ts';
import { storeAt } from '../../support/store-at.ts';

const TEAM = 'team_1' as OrganizationId;
const first = { limit: 5, cursor: null, filter: {} };

async function adopted(t: Scope, prepare = ''): Promise<VendorDatabase> {
  const database = await databaseWithSimpleTable(t);
  if (prepare) await database.client.query(prepare);
  await adopt(database.url, mappingJson);
  return database;
}

describe('a service that runs', () => {
  test('goes on when a table is adopted, without its declared fields, and with both when that is taken back', async t => {
    const database = await databaseWithSimpleTable(t);
    await storeAt(database.url).migrate();
    const reader = await readerOf(t, storeAt(database.url));
    const writer = await writerOf(t, storeAt(database.url));
    for (const name of ['last_used_at', 'expires_at'])
      await writer.addField({ name, type: { kind: 'timestamp' } });
    assert.deepEqual((await reader.listApiKeys(TEAM, first))?.items, []);
    await adopt(database.url, mappingJson);
    const page = await reader.listApiKeys(TEAM, first);
    assert.equal(page?.items.length, 5);
    for (const { record } of page?.items ?? []) assert(!('last_used_at' in JSON.parse(record)));
    const more = { name: 'more', type: { kind: 'boolean' } } as const;
    await assert.rejects(writer.addField(more), /the vendor's own table.*its mapping gives fields/);
    await writer.removeField('expires_at');
    await (await adoptionIn(storeAt(database.url))).remove(() => {});
    assert.deepEqual((await reader.listApiKeys(TEAM, first))?.items, []);
    assert.deepEqual(
      (await writer.listFields()).map(({ name }) => name),
      ['last_used_at'],
    );
  });

  test('is ready over an empty table', async t => {
    const database = await adopted(t, `DELETE FROM ${TABLE}`);
    await database.client.query(`VACUUM ANALYZE ${TABLE}`);
    await (await readerOf(t, storeAt(database.url))).checkReadiness();
    assert.deepEqual((await checkStore(storeAt(database.url))).findings, []);
  });
});

describe('functions of another schema', () => {
  test('do not get into the view, whatever types they take', async t => {
    const database = await databaseWithSimpleTable(t);
    await database.client.query(`
      CREATE SCHEMA evil;
      CREATE FUNCTION evil.to_json(text) RETURNS text LANGUAGE sql RETURN '"hijacked"';
      CREATE FUNCTION evil.to_char(timestamp, text) RETURNS text LANGUAGE sql RETURN 'hijacked';
      CREATE FUNCTION evil.left(text, integer) RETURNS text LANGUAGE sql RETURN 'hijacked';
      CREATE FUNCTION evil.concat(text, text, text) RETURNS text LANGUAGE sql RETURN 'hijacked';
      ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET search_path = public, evil`);
    await adopt(database.url, mappingJson);
    const reader = await readerOf(t, storeAt(database.url));
    const page = await reader.listApiKeys(TEAM, first);
    assert.match(page?.items[0]?.record ?? '', /"name":"Key \d+","created_at":"2024-/);
  });
});

describe('an expression that fails on a row', () => {
  test("is an error that names its code, and has no value, though a function of the vendor's raised it", async t => {
    const database = await databaseWithSimpleTable(t);
    await database.client.query(`CREATE FUNCTION fail(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS
      $$ BEGIN RAISE EXCEPTION 'bad value %', value; END $$`);
    const fields = { ...mappingJson.fields, name: { sql: 'public.fail(name)' } };
    await adopt(database.url, { ...mappingJson, fields });
    const reader = await readerOf(t, storeAt(database.url));
    await assert.rejects(reader.listApiKeys(TEAM, first), (error: Error) => {
      assert.equal(error.message, "the vendor's table: an expression of the mapping fails on a row (P0001)");
      assert.equal(error.cause, undefined);
      assert(!(error instanceof Refused));
      return true;
    });
  });
});

test('a key that is deleted and inserted again is never the end of a walk', async t => {
  const database = await adopted(t);
  const reader = await readerOf(t, storeAt(database.url));
  const id = 'key_4000' as ApiKeyId;
  let stop = false;
  const flipping = (async () => {
    while (!stop) {
      await database.client.query(`CREATE TEMP TABLE kept AS SELECT * FROM ${TABLE} WHERE id = '${id}'`);
      await database.client.query(`DELETE FROM ${TABLE} WHERE id = '${id}'`);
      await database.client.query(`INSERT INTO ${TABLE} SELECT * FROM kept`);
      await database.client.query('DROP TABLE kept');
    }
  })();
  const sizes = new Set<number | undefined>();
  for (let round = 0; round < 500; round++) {
    const page = await reader.listApiKeys(TEAM, { ...first, cursor: { direction: 'after', id } });
    sizes.add(page?.items.length);
  }
  stop = true;
  await flipping;
  sizes.delete(undefined); // the key wasn't there
  assert.deepEqual([...sizes], [5]);
});
