/**
 * A server of a vendor's, as small as one can be, over the store that the environment names or over a roster of its own. The tests
 * run it in bundles and in other runtimes: so it is JavaScript, and has no top-level await, which CommonJS doesn't have.
 */
import { createServer } from 'node:http';
import process from 'node:process';
import { createKeyroster, pageItem } from 'keyroster';

const { DATABASE: database, ORGANIZATION: organizationId = 'org_1', CONSOLE } = process.env;

const records = ['2', '1'].map((day, at) => ({
  id: `k${at}`,
  type: 'api_key',
  name: `Key ${at}`,
  created_at: `2026-01-0${day}T00:00:00.000000Z`,
  created_by: { id: 'user_1', type: 'user' },
  partial_key_hint: 'sk-ven-api03-R2D...igAA',
  status: 'active',
  workspace_id: null,
}));
const roster = { listApiKeys: async () => ({ items: records.map(pageItem), hasMore: false }) };

async function main() {
  const logged = [];
  const keyroster = await createKeyroster({
    ...(database ? { database } : { roster }),
    authenticate: async ({ headers }) =>
      headers.get('authorization') === 'Bearer of-ann' && { organizationId, callerId: 'ann' },
    log: { write: line => logged.push(JSON.parse(line).status) },
    console: CONSOLE !== undefined,
  });
  const server = createServer(keyroster.handle);
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/v1/organizations/api_keys`;
  const headers = { authorization: 'Bearer of-ann', 'vendor-version': '2023-06-01', connection: 'close' };
  await print('fetch', await keyroster.fetch(new Request(url, { headers })));
  await print('handle', await fetch(url, { headers }));
  await print('unknown', await fetch(url, { headers: { ...headers, authorization: 'Bearer of-bob' } }));
  server.close();
  await keyroster.close();
  process.stdout.write(`logged ${logged.join(' ')}\n`);
}

async function print(what, answer) {
  const { data = [] } = await answer.json();
  process.stdout.write(`${[what, answer.status, ...data.map(({ id }) => id)].join(' ')}\n`);
}

main().catch(error => {
  process.stdout.write(`${error.name}: ${error.message}\n`);
  process.exitCode = 1;
});
