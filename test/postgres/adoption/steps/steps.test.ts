import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseWithSimpleTable, simpleMapping, TABLE } from '../../../support/adopted/simple-table.ts';
import { connect } from '../../../support/connect.ts';
import { atEndOf } from '../../../support/scope.ts';
import { storeAt, TEST_ACTOR } from '../../../support/store-at.ts';

const mapping = simpleMapping();
const options = { actor: TEST_ACTOR, role: undefined };

test("the vendor's application inserts at every moment, also where functions are not PUBLIC's by default", async t => {
  const { url, client } = await databaseWithSimpleTable(t);
  const app = `app_${process.pid}`;
  await client.query(`ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
    CREATE ROLE ${app} LOGIN PASSWORD 'secret'; GRANT INSERT ON ${TABLE} TO ${app}`);
  atEndOf(t, () => client.query(`DROP OWNED BY ${app}; DROP ROLE ${app}`));
  const adoption = await storeAt(url).adoption();
  const indexes: string[] = [];
  const stopAfterFirstIndex = (what: string) => {
    if (what.startsWith('make the index') && indexes.push(what) > 2) throw new Error('stopped');
  };
  await assert.rejects(adoption.apply(mapping, { ...options, onStep: stopAfterFirstIndex }), /stopped/);
  const inserting = await connect(t, Object.assign(new URL(url), { username: app, password: 'secret' }).href);
  await inserting.query(
    `INSERT INTO ${TABLE} VALUES ('key_new', 'team_1', '', now(), 'user_1', 'sk_', '0000', true, '')`,
  );
});
