import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { keyroster, startKeyroster } from '../../support/command-line.ts';
import { freePort } from '../../support/free-port.ts';
import { assertFailed } from '../../support/run-many-commands.ts';
import { atEndOf } from '../../support/scope.ts';
import { createTenants } from '../../support/service-process.ts';
import { createDatabase, postgres } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

for (const args of [[], ['--workers', '2']])
  test(`serve ${args.join(' ')} answers 503 while PostgreSQL is away at the start, and serves when it is there`, async t => {
    const store = await postgres.create();
    atEndOf(t, () => store.remove());
    const [tenant] = await createTenants(store, 1);
    const url = new URL(store.url);
    const server = Number(url.port);
    url.port = String(await freePort());
    const env = { KEYROSTER_DATABASE_URL: url.href };
    const serve = startKeyroster(t, ['serve', '--port', '0', ...args], { env });
    const [, address] = await serve.line(/listening on (http:[^"]+)/);
    const headers = { 'x-api-key': tenant?.secret ?? '', 'vendor-version': '2023-06-01' };
    const ask = (path: string) =>
      fetch(`${address}${path}`, { headers: { ...headers, connection: 'close' } });
    for (const path of ['/v1/organizations/api_keys', '/readyz']) {
      const { status, headers } = await ask(path);
      assert.deepEqual([status, headers.get('retry-after')], [503, '5'], path);
    }
    assert.equal((await ask('/healthz')).status, 200);
    await serve.line(/"level":50,.*can't reach PostgreSQL \(ECONNREFUSED\): check the host and the port/);
    const arriving = createServer(socket => {
      const other = connect(server, url.hostname);
      socket.on('error', () => other.destroy()).pipe(other);
      other.on('error', () => socket.destroy()).pipe(socket);
    }).listen(Number(url.port), url.hostname);
    atEndOf(t, () => arriving.close());
    await once(arriving, 'listening');
    for (const path of ['/v1/organizations/api_keys', '/readyz'])
      await until(`all workers answer ${path}`, async () => {
        const answers = await Promise.all([1, 2, 3, 4].map(() => ask(path)));
        return answers.every(({ status }) => status === 200);
      });
    await serve.line(/"msg":"keyroster \d\S+, and the store is /);
    await serve.stop();
  });

test('serve ends at once where PostgreSQL is there and the settings are wrong', async t => {
  const empty = await createDatabase();
  atEndOf(t, () => empty.remove());
  const other = (change: (url: URL) => void) => {
    const url = new URL(empty.url);
    change(url);
    return url.href;
  };
  for (const [url, message] of [
    [empty.url, /it has no schema keyroster: run "keyroster migrate"/],
    [other(url => (url.password = 'wr0ng')), /PostgreSQL refused the user or the password/],
    [other(url => (url.pathname = '/absent')), /there is no database absent: create it first/],
  ] as const) {
    const env = { KEYROSTER_DATABASE_URL: url };
    assertFailed(await keyroster(['serve', '--port', '0'], { env }), 1, message);
  }
});
