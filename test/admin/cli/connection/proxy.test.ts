/** The service is `service.example`, which only the proxy knows. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { Tls } from '../../../../src/service/server/tls.ts';
import { assertNoTrace } from '../../../support/canaries.ts';
import { makePair, pairFiles } from '../../../support/certificate.ts';
import { keyroster } from '../../../support/command-line.ts';
import { startConnectProxy } from '../../../support/connect-proxy.ts';
import { freePort } from '../../../support/free-port.ts';
import { VENDOR } from '../../../support/roster.ts';
import { runCommand } from '../../../support/run-many-commands.ts';
import { atEndOf, suiteScope, temporaryFolder } from '../../../support/scope.ts';
import { startService, stubReader, type TestService } from '../../../support/service.ts';

type Env = Readonly<Record<string, string>>;

const BASE_URL = 'https://service.example';
const PASSWORD = 'proxy-password-0123456789';

describe('a service behind a proxy', { concurrency: 2 }, () => {
  const scope = suiteScope();
  const pair = makePair({ name: 'service.example' });
  const { certFile } = pairFiles(scope, pair);
  const { reader, secret } = stubReader();
  let tls: TestService;
  let plain: TestService;
  before(async () => {
    tls = await startService(reader, VENDOR, { tls: new Tls(pair) });
    plain = await startService(reader, VENDOR);
    atEndOf(scope, () => Promise.all([tls.close(), plain.close()]));
  });

  async function list(env: Env, baseUrl = BASE_URL, run: typeof runCommand = keyroster) {
    const all = { KEYROSTER_ADMIN_KEY: secret, NODE_EXTRA_CA_CERTS: certFile, ...env };
    const finished = await run(['list', '--base-url', baseUrl], { env: all });
    assertNoTrace([PASSWORD, secret], finished.stdout + finished.stderr, JSON.stringify(finished));
    return finished;
  }
  /** Without a proxy. One is used by all that its process does from then on. */
  const listDirectly = (env: Env, baseUrl?: string) => list(env, baseUrl, runCommand);
  const urlOf = (port: number) => `http://user:${PASSWORD}@127.0.0.1:${port}`;

  test('is reached through the proxy of HTTPS_PROXY, in either case, with its user and password', async () => {
    const { port, asked } = await startConnectProxy(scope, tls.port);
    const { exitCode, stderr } = await list({ HTTPS_PROXY: urlOf(port) });
    assert.deepEqual([exitCode, stderr], [0, 'the roster has no keys\n']);
    assert.equal((await list({ https_proxy: `http://127.0.0.1:${port}` })).exitCode, 0);
    const connect = 'CONNECT service.example:443';
    assert.deepEqual(asked, [`${connect} user:${PASSWORD}`, connect]);
  });

  test('over plain HTTP is reached through that of HTTP_PROXY, with a warning', async () => {
    const { port, asked } = await startConnectProxy(scope, plain.port);
    const env = { HTTP_PROXY: `http://127.0.0.1:${port}`, HTTPS_PROXY: 'http://127.0.0.1:1' };
    const { exitCode, stderr } = await list(env, 'http://service.example');
    assert.equal(exitCode, 0);
    assert.match(
      stderr,
      /^warning: --base-url: the admin key and the roster aren't encrypted on the way: use https\n/,
    );
    assert.equal(asked.length, 1);
  });

  test('is asked for compressed answers, and one on this machine for plain ones', async () => {
    const accepted: unknown[] = [];
    const page = JSON.stringify({ data: [], first_id: null, last_id: null, has_more: false });
    const server = createServer(({ headers }, response) => {
      accepted.push(headers['accept-encoding']);
      response.setHeader('content-type', 'application/json').end(page);
    }).listen(0, '127.0.0.1');
    atEndOf(scope, () => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    assert.equal((await listDirectly({}, `http://127.0.0.1:${port}`)).exitCode, 0);
    const { port: proxy } = await startConnectProxy(scope, port);
    assert.equal(
      (await list({ HTTP_PROXY: `http://127.0.0.1:${proxy}` }, 'http://service.example')).exitCode,
      0,
    );
    assert.deepEqual(
      accepted.map(coding => String(coding).includes('gzip')),
      [false, true],
    );
  });

  test('is called directly where NO_PROXY has it, and a service on this machine always', async () => {
    const { port, asked } = await startConnectProxy(scope, tls.port);
    const excluded = ['*', '.example', 'example', 'other, service.example:443'];
    for (const NO_PROXY of excluded) {
      const { stderr } = await listDirectly({ HTTPS_PROXY: urlOf(port), NO_PROXY });
      assert.match(stderr, /service\.example: ENOTFOUND: no such host is known[^(]*$/, NO_PROXY);
    }
    const address = { HTTPS_PROXY: urlOf(port), no_proxy: '10.0.0.1,0.0.0.0' };
    assert.match((await list(address, `https://0.0.0.0:${tls.port}`)).stderr, /ERR_TLS_CERT_ALTNAME_INVALID/);
    assert.equal((await listDirectly({ HTTP_PROXY: urlOf(port) }, plain.url)).exitCode, 0);
    assert.deepEqual(asked, []);
    for (const NO_PROXY of ['vice.example, service.example:8443', '10.0.0.1'])
      assert.equal((await list({ HTTPS_PROXY: urlOf(port), NO_PROXY })).exitCode, 0, NO_PROXY);
    assert.equal(asked.length, 2);
  });

  test('beside a service that is called directly is the only one that its proxy is asked for', async () => {
    const { port, asked } = await startConnectProxy(scope, tls.port);
    const folder = temporaryFolder(scope);
    mkdirSync(join(folder, 'keyroster', 'profiles'), { recursive: true });
    for (const [name, base_url] of [
      ['a', BASE_URL],
      ['b', plain.url],
      ['c', 'https://away.example'],
    ]) {
      const text = JSON.stringify({ base_url, vendor: 'vendor', admin_key: secret });
      writeFileSync(join(folder, 'keyroster', 'profiles', `${name}.json`), text, { mode: 0o600 });
    }
    const env = { XDG_CONFIG_HOME: folder, NODE_EXTRA_CA_CERTS: certFile, HTTPS_PROXY: urlOf(port) };
    for (const profiles of ['a,b', 'b,a']) {
      const args = ['list', '--all', '-p', profiles];
      const { exitCode, stderr } = await keyroster(args, { env: { ...env, HTTP_PROXY: urlOf(port) } });
      assert.deepEqual([exitCode, stderr], [0, 'the roster has no keys\n']);
    }
    assert.deepEqual(asked, Array(2).fill(`CONNECT service.example:443 user:${PASSWORD}`));
    const excepted = { ...env, NO_PROXY: 'away.example' };
    const { stderr } = await keyroster(['list', '--all', '-p', 'a,c'], { env: excepted });
    assert.match(stderr, /not all keys of c were read: .*https:\/\/away\.example: ENOTFOUND[^(]*$/m);
  });

  test('is not reached, and the proxy is named, when it refuses', async () => {
    const ours = [407, 403].map(async status => {
      const { port, asked } = await startConnectProxy(scope, tls.port, status);
      const { exitCode, stderr } = await list({ HTTPS_PROXY: urlOf(port) });
      assert.equal(exitCode, 1);
      assert.equal(asked.length, 1, 'it is not retried');
      return stderr.replace(String(port), 'PORT');
    });
    assert.deepEqual(await Promise.all(ours), [
      'keyroster-admin: https://service.example: the proxy http://127.0.0.1:PORT of HTTPS_PROXY answered 407: put its user and password into HTTPS_PROXY\n',
      'keyroster-admin: https://service.example: the proxy http://127.0.0.1:PORT of HTTPS_PROXY answered 403\n',
    ]);
  });

  test("is not reached, and the proxy is named, when nothing answers there or its name isn't known", async () => {
    const port = await freePort();
    const nothing = await list({ HTTPS_PROXY: urlOf(port) });
    const proxy = `(HTTPS_PROXY names the proxy http://127.0.0.1:${port})`;
    assert(nothing.stderr.endsWith(`${BASE_URL}: ECONNREFUSED ${proxy}\n`), nothing.stderr);
    const unknown = await list({ HTTPS_PROXY: `http://user:${PASSWORD}@no-such-proxy.invalid:3128` });
    assert.match(
      unknown.stderr,
      /ENOTFOUND.* \(HTTPS_PROXY names the proxy http:\/\/no-such-proxy\.invalid:3128\)\n$/,
    );
  });

  test("names the proxy when a certificate isn't trusted, as that of a proxy that reads TLS", async () => {
    const { port } = await startConnectProxy(scope, tls.port);
    const other = pairFiles(scope, makePair()).certFile;
    const { exitCode, stderr } = await list({ HTTPS_PROXY: urlOf(port), NODE_EXTRA_CA_CERTS: other });
    assert.equal(exitCode, 1);
    assert.match(
      stderr,
      /certificate of https:\/\/service\.example is refused .* in NODE_EXTRA_CA_CERTS \(HTTPS_PROXY names the proxy http:\/\/127/,
    );
  });

  test('a variable that has no URL of a proxy is refused, without its value', async () => {
    for (const HTTPS_PROXY of [
      `socks5://user:${PASSWORD}@127.0.0.1:1080`,
      '127.0.0.1:1080',
      `http://user:${PASSWORD}@`,
      'http://',
    ]) {
      const env = { KEYROSTER_ADMIN_KEY: secret, HTTPS_PROXY };
      const { exitCode, stderr } = await runCommand(['list', '--base-url', BASE_URL], { env });
      assert.equal(stderr, 'keyroster-admin: HTTPS_PROXY: must be the http or https URL of a proxy\n');
      assert.equal(exitCode, 2);
    }
  });
});
