import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyroster } from '../../../src/service/library.ts';
import { databaseWithSimpleTable, simpleMapping } from '../../support/adopted/simple-table.ts';
import { atEndOf } from '../../support/scope.ts';
import { storeAt, TEST_ACTOR } from '../../support/store-at.ts';

test("over a vendor's own table and authentication the role needs the view alone, and no organization is known", async t => {
  const { url, client } = await databaseWithSimpleTable(t);
  const adoption = await storeAt(url).adoption();
  await adoption.apply(simpleMapping(), { actor: TEST_ACTOR, onStep: () => {} });
  const role = `own_table_${process.pid}`;
  await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret';
    GRANT USAGE ON SCHEMA keyroster TO ${role}; GRANT SELECT ON keyroster.api_keys, keyroster.migrations TO ${role}`);
  atEndOf(t, () => client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`));

  const keyroster = await createKeyroster({
    database: Object.assign(new URL(url), { username: role, password: 'secret' }).href,
    authenticate: () => ({ organizationId: 'team_1', callerId: 'ada' }),
  });
  const get = (path: string) =>
    keyroster.fetch(new Request(`http://localhost${path}`, { headers: { 'vendor-version': '2023-06-01' } }));
  const list = (query: string) => get(`/v1/organizations/api_keys?${query}`);

  const page = (await (await list('limit=2&status=active')).json()) as { data: unknown[]; has_more: boolean };
  assert.equal(page.data.length, 2);
  assert.equal(page.has_more, true);
  assert.equal((await list('created_by_user_id=user_1')).status, 400);
  assert.equal((await get('/readyz')).status, 200);
  await keyroster.close();
});
