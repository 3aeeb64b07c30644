import assert from 'node:assert/strict';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildConsole } from '../../../scripts/build-console.ts';
import { keyroster, startKeyroster } from '../../support/command-line.ts';
import { type EmbeddedStore, embeddedStore } from '../../support/embedded-store.ts';
import { takenPort } from '../../support/listen.ts';
import { assertFailed } from '../../support/run-many-commands.ts';
import { temporaryFolder } from '../../support/scope.ts';
import { fetchJson } from '../../support/service.ts';

const PATH = '/v1/organizations/api_keys';
const LISTENING = /"msg":"listening on (http:[^"]+)"/;

const list = (address: string | undefined, { secret }: EmbeddedStore) =>
  fetchJson(`${address}${PATH}`, { 'x-api-key': secret, 'vendor-version': '2023-06-01' });

test('serve on port 0 picks a free port, logs its address and answers there, and each log line is a JSON object', async t => {
  const store = await embeddedStore(t);
  const serve = startKeyroster(t, ['serve', '--port', '0'], { env: store.env });
  const [, address] = await serve.line(LISTENING);
  const answers = await Promise.all(Array.from({ length: 100 }, () => list(address, store)));
  assert.ok(answers.some(({ status }) => status === 200));
  await fetchJson(`${address}/elsewhere`, {});
  const { exitCode, stdout, stderr } = await serve.stop('SIGINT');
  assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });

  const lines = stdout.split('\n');
  assert.equal(lines.pop(), '');
  const entries = lines.map(line => JSON.parse(line));
  for (const { level, time, msg } of entries) {
    assert.deepEqual([typeof level, typeof time, typeof msg], ['number', 'number', 'string']);
  }
  const listed = entries.filter(({ route }) => route === PATH);
  // A busy machine refuses some of so many at once.
  for (const { status, organization_id } of listed.filter(each => each.status !== 503))
    assert.deepEqual([status, organization_id], [200, store.organization]);
  assert.deepEqual(
    listed.map(({ request_id }) => request_id).toSorted(),
    answers.map(({ headers }) => headers.get('request-id')).toSorted(),
  );
  assert.ok(entries.some(({ status, route }) => status === 404 && route === null));
});

test('serve and demo on a port in use fail in one line that says what to do', async t => {
  const { env } = await embeddedStore(t);
  const port = String(await takenPort(t));
  const metrics = ['--metrics-host', '0.0.0.0', '--metrics-port', port];
  for (const [args, host, flag] of [
    [['serve', '--port', port], '127.0.0.1', '--port'],
    [['serve', '--workers', '2', '--port', port], '127.0.0.1', '--port'],
    [['serve', '--port', '0', ...metrics], '0.0.0.0', '--metrics-port'],
    [['demo', '--port', port], '127.0.0.1', '--port'],
  ] as const) {
    const message = `keyroster: can't listen on ${host}:${port}: the port is in use: choose another with ${flag}\n`;
    const finished = await keyroster(args, { env });
    assertFailed(finished, 1, new RegExp(`^${message}$`));
  }
});

test('serve serves the web console and logs its address, unless --no-console turns it off', async t => {
  const { env } = await embeddedStore(t);
  await buildConsole();
  const serve = startKeyroster(t, ['serve', '--port', '0'], { env });
  const [, address = ''] = await serve.line(/"msg":"the web console is at (http:[^"]+)"/);
  assert.match(await (await fetch(address)).text(), /<title>Keyroster<\/title>/);
  const without = startKeyroster(t, ['serve', '--port', '0', '--no-console'], { env });
  const [, other] = await without.line(LISTENING);
  assert.equal((await fetch(`${other}/console/`)).status, 404);
  assert.doesNotMatch((await without.stop()).stdout, /console is at/);
});

test('without a built console serve logs one warning and serves the API alone', async t => {
  const { env } = await embeddedStore(t);
  const folder = temporaryFolder(t);
  const root = join(import.meta.dirname, '../../..');
  for (const name of ['src', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const bin = join(folder, 'src/operator/bin.ts');
  const serve = startKeyroster(t, ['serve', '--port', '0'], { env, bin });
  const [, address] = await serve.line(LISTENING);
  await serve.line(
    /"level":40.*"msg":"the web console is not built: serving without it; .*npm run console.* builds it"/,
  );
  assert.equal((await fetch(`${address}/console/`)).status, 404);
});
