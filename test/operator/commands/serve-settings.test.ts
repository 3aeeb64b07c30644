import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { BINS, spawnOptions, startKeyroster } from '../../support/command-line.ts';
import { type EmbeddedStore, embeddedStore } from '../../support/embedded-store.ts';
import { freePort } from '../../support/free-port.ts';
import type { Scope } from '../../support/scope.ts';
import { fetchJson } from '../../support/service.ts';

/** Whether or not it is built. */
const WITH_CONSOLE = /"msg":"[^"]*web console/;
const LISTENING = /"msg":"listening on (http:[^"]+)"/;

async function serve(scope: Scope, env: Record<string, string>) {
  const store = await embeddedStore(scope);
  const process = startKeyroster(scope, ['serve', '--port', '0'], { env: { ...store.env, ...env } });
  const [, url = ''] = await process.line(LISTENING);
  return { store, process, url };
}

const list = (url: string, { secret }: EmbeddedStore, headers: Record<string, string> = {}) =>
  fetchJson(`${url}/v1/organizations/api_keys`, {
    'x-api-key': secret,
    'vendor-version': '2023-06-01',
    ...headers,
  });

/** Resolves when the service answers with 200. */
async function answered(url: string, store: EmbeddedStore): Promise<void> {
  const answer = await list(url, store).catch(() => null);
  if (answer?.status !== 200) await wait(20).then(() => answered(url, store));
}

test('--bearer and --also-version let current clients in, and no other version', async t => {
  const { store, url, process } = await serve(t, {
    KEYROSTER_BEARER: '1',
    KEYROSTER_ALSO_VERSION: '2026-10-21, 2027-01-01',
    KEYROSTER_DEFAULT_WORKSPACE: 'wrkspc_default',
    KEYROSTER_RATE_LIMIT: '0',
    KEYROSTER_NO_CONSOLE: '0',
  });
  await process.line(WITH_CONSOLE);
  for (const version of ['2023-06-01', '2026-10-21', '2027-01-01']) {
    const headers = { authorization: `Bearer ${store.secret}`, 'vendor-version': version };
    assert.equal((await fetchJson(`${url}/v1/organizations/api_keys`, headers)).status, 200, version);
  }
  assert.equal((await list(url, store, { authorization: 'Bearer x' })).status, 401);
  assert.equal((await list(url, store, { 'vendor-version': '2026-10-22' })).status, 400);
});

test('metrics are served on a separate port of this machine when one is set, whatever --host is, by their conventional names', async t => {
  const { store, process, url } = await serve(t, {
    KEYROSTER_METRICS_PORT: '0',
    KEYROSTER_HOST: '0.0.0.0',
  });
  const [, metricsUrl = ''] = await process.line(/"msg":"metrics at (http:\/\/127\.0\.0\.1:[^"]+)"/);
  assert.equal((await list(url, store)).status, 200);
  assert.equal((await list(url, store, { 'x-api-key': 'wrong' })).status, 401);
  assert.equal((await fetch(`${url}/metrics`)).status, 404);

  const answer = await fetch(metricsUrl);
  const text = await answer.text();
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0.0.4/);
  const route = 'method="GET",route="/v1/organizations/api_keys"';
  for (const line of [
    `http_request_duration_seconds_count{${route},status="200"} 1`,
    `http_request_duration_seconds_count{${route},status="401"} 1`,
    'keyroster_failed_authentications_total 1',
    'keyroster_store_read_duration_seconds_count{read="list_api_keys"} 1',
  ]) {
    assert.ok(text.split('\n').includes(line), `no line ${line} in\n${text}`);
  }
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes']) {
    assert.match(text, new RegExp(`^${name} \\d`, 'm'));
  }
  assert.ok(!text.includes(store.organization) && !text.includes(store.secret));
  assert.equal((await fetch(new URL('/', metricsUrl))).status, 404);
});

describe('the log', () => {
  test('has one line per request, with the admin key and the number of rows; by default, as by an empty variable or that of a flag that says no, 6,000 a minute come from this machine alone', async t => {
    const { store, process, url } = await serve(t, {
      KEYROSTER_HOST: '',
      KEYROSTER_RATE_LIMIT: '',
      KEYROSTER_BEARER: 'No',
      KEYROSTER_NO_CONSOLE: 'off',
    });
    await process.line(WITH_CONSOLE);
    const bearer = { authorization: `Bearer ${store.secret}` };
    assert.equal((await fetchJson(`${url}/v1/organizations/api_keys`, bearer)).status, 401);
    assert.match(url, /^http:\/\/127\.0\.0\.1:/);
    const { headers } = await list(url, store);
    assert.equal(headers.get('ratelimit-policy'), '"admin-key";q=6000;w=60');
    const [line] = await process.line(/.*"rows":.*/);
    const { request_id, organization_id, admin_key_id, status, rows, duration_ms } = JSON.parse(line);
    assert.deepEqual(
      [request_id, organization_id, status, rows],
      [headers.get('request-id'), store.organization, 200, 0],
    );
    assert.match(admin_key_id, /^adminkey_/);
    assert.equal(typeof duration_ms, 'number');
    const operations = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const example = JSON.parse(String(/^\{"level":30.*$/m.exec(operations)));
    assert.deepEqual(
      Object.keys(example),
      Object.keys(JSON.parse(line)),
      'docs/operations.md shows other fields',
    );
  });

  test('does not stop the service when it cannot be written', {
    skip: process.platform === 'linux' ? false : 'this system has no /dev/full',
  }, async t => {
    const store = await embeddedStore(t);
    const port = await freePort();
    const stdio = ['ignore', openSync('/dev/full', 'w'), 'inherit'] as const;
    const child = spawn(process.execPath, [BINS.keyroster, 'serve', '--port', String(port)], {
      ...spawnOptions({ env: store.env }),
      stdio: [...stdio],
    });
    t.after(() => child.kill('SIGKILL'));
    for (let times = 0; times < 5; times++) await answered(`http://127.0.0.1:${port}`, store);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
});

test('a second signal kills the service at once', async t => {
  const { process } = await serve(t, { KEYROSTER_SHUTDOWN_DELAY: '600' });
  process.stop('SIGTERM');
  await process.line(/"msg":"stopping/);
  const { exitCode } = await process.stop('SIGINT');
  assert.equal(exitCode, null, 'it exited by itself');
});
