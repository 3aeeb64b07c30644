import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adoptionIn } from '../../../src/operator/adopt/open-adoption.ts';
import { checkStore } from '../../../src/operator/check-store.ts';
import { withOwnTable } from '../../../src/service/postgres/vendor-table/own-table.ts';
import { newRole } from '../../support/adopted/role.ts';
import {
  databaseWithSimpleTable,
  indexNamesOf,
  simpleMapping,
  TABLE,
} from '../../support/adopted/simple-table.ts';
import { indexesOf } from '../../support/adopted/vendor-database.ts';
import { connect } from '../../support/connect.ts';
import type { Scope } from '../../support/scope.ts';
import { storeAt, TEST_ACTOR } from '../../support/store-at.ts';

const mapping = simpleMapping();
const options = { actor: TEST_ACTOR };

test("the vendor's application inserts at every moment, also where functions are not PUBLIC's by default", async t => {
  const database = await databaseWithSimpleTable(t);
  const asApp = await newRole(
    t,
    database,
    app =>
      `ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC; GRANT INSERT ON ${TABLE} TO ${app}`,
  );
  const adoption = await adoptionIn(storeAt(database.url));
  const indexes: string[] = [];
  const stopAfterFirstIndex = (what: string) => {
    if (what.startsWith('make the index') && indexes.push(what) > 2) throw new Error('stopped');
  };
  await assert.rejects(adoption.apply(mapping, { ...options, onStep: stopAfterFirstIndex }), /stopped/);
  const inserting = await connect(t, asApp);
  await inserting.query(
    `INSERT INTO ${TABLE} VALUES ('key_new', 'team_1', '', now(), 'user_1', 'sk_', '0000', true, '')`,
  );
});

describe('after the table was dropped with the view over it', () => {
  async function droppedTable(t: Scope) {
    const { url, client } = await databaseWithSimpleTable(t);
    const store = storeAt(url);
    const adoption = await adoptionIn(store);
    await adoption.apply(mapping, { ...options, onStep: () => {} });
    await client.query(`DROP TABLE ${TABLE} CASCADE`);
    const kinds = async () => {
      const { rows } = await client.query<{ kinds: string | null }>(
        `SELECT string_agg(relname || ' ' || relkind::text, ', ' ORDER BY relname) AS kinds FROM pg_class
         WHERE relnamespace = 'keyroster'::regnamespace AND relname LIKE '%api_keys'`,
      );
      return rows[0]?.kinds;
    };
    return { client, store, adoption, kinds };
  }

  test("--remove puts Keyroster's own table back", async t => {
    const { adoption, kinds, store } = await droppedTable(t);
    const steps: string[] = [];
    assert.equal(await adoption.remove(what => steps.push(what)), true);
    assert.deepEqual(steps, ["put Keyroster's own table back"]);
    assert.equal(await kinds(), 'api_keys r');
    assert.deepEqual((await checkStore(store)).findings, []);
  });

  test('migrate brings the own table up to date', async t => {
    const { client, kinds } = await droppedTable(t);
    await withOwnTable(client, () => client.query('ALTER TABLE keyroster.api_keys ADD later text'));
    assert.equal(await kinds(), 'own_api_keys r');
    await client.query('SELECT later FROM keyroster.own_api_keys');
  });
});

test('is refused after another table has taken the name, until the first adoption is taken back', async t => {
  const { url, client } = await databaseWithSimpleTable(t);
  const store = storeAt(url);
  const adoption = await adoptionIn(store);
  const apply = () => adoption.apply(mapping, { ...options, onStep: () => {} });
  await apply();
  await client.query(`ALTER TABLE ${TABLE} RENAME TO apikey_old; CREATE TABLE ${TABLE} (LIKE apikey_old);
    INSERT INTO ${TABLE} SELECT * FROM apikey_old WHERE team = 'team_1'`);
  await assert.rejects(
    apply(),
    /is of "public"\."apikey_old", as a table was renamed: stop the service, run/,
  );
  await adoption.remove(() => {});
  await apply();
  const ours = (await indexesOf(client, TABLE)).map(({ name }) => name);
  assert.deepEqual(ours, indexNamesOf(mapping).toSorted());
  assert.deepEqual((await checkStore(store)).findings, []);
});
