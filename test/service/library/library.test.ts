import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { KeyrosterClient } from '../../../src/client/client.ts';
import { createKeyroster } from '../../../src/service/library/library.ts';
import { databaseWithSimpleTable, mappingJson } from '../../support/adopted/simple-table.ts';
import { adopt } from '../../support/adopted/vendor-database.ts';
import { listen } from '../../support/listen.ts';
import { atEndOf } from '../../support/scope.ts';
import { numberedKeys, startSeededService } from '../../support/seeded-service.ts';
import { fetchJson } from '../../support/service.ts';

test('a mounted service answers under a prefix, writes to the given log, and closes its store', async t => {
  const { database, secret, ids } = await startSeededService(t, numberedKeys(3));
  const lines: string[] = [];
  const keyroster = await createKeyroster({
    database,
    vendor: 'acme',
    log: { write: line => lines.push(line) },
  });
  const server = createServer((request, response) => {
    request.url = request.url?.slice('/keys'.length);
    keyroster.handle(request, response);
  });
  const port = await listen(t, server);
  const baseUrl = `http://127.0.0.1:${port}/keys`;
  const { apiKeys } = new KeyrosterClient({ baseUrl, adminKey: secret, vendor: 'acme', retries: 0 });
  const page = await apiKeys.list();
  assert.deepEqual(
    page.data.map(({ id }) => id),
    ids,
  );
  assert(lines.some(line => line.includes(String(page.requestId))));
  await assert.rejects(apiKeys.list({ after_id: 'nobody' }), { status: 400 });
  await keyroster.close();
  await assert.rejects(apiKeys.list(), { name: 'KeyrosterError' });
});

test('with bearer and versions it accepts clients of another service', async t => {
  const { database, secret } = await startSeededService(t, numberedKeys(1));
  const keyroster = await createKeyroster({
    database,
    bearer: true,
    versions: ['2026-10-21'],
    defaultWorkspace: 'wrkspc_default',
  });
  atEndOf(t, () => keyroster.close());
  const server = createServer(keyroster.handle);
  const port = await listen(t, server);
  const url = `http://127.0.0.1:${port}/v1/organizations/api_keys`;
  const headers = { authorization: `Bearer ${secret}`, 'vendor-version': '2026-10-21' };
  const { body } = await fetchJson(url, headers);
  assert.deepEqual(body.data[0].scope, { type: 'workspace', workspace_id: 'wrkspc_default' });
});

test("over a vendor's own table and authentication the role needs the view alone, and no organization is known", async t => {
  const { url, client } = await databaseWithSimpleTable(t);
  await adopt(url, mappingJson);
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
