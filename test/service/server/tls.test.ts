import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:https';
import { connect } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import type { StoreReader } from '../../../src/service/roster/pages/reader.ts';
import { processMetrics } from '../../../src/service/server/metrics-server.ts';
import type { ServiceOptions } from '../../../src/service/server/service.ts';
import { Tls } from '../../../src/service/server/tls.ts';
import { type ClientOptions, connectSecurely, makePair } from '../../support/certificate.ts';
import { VENDOR } from '../../support/roster.ts';
import { startService, stubReader } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { untilRefused } from '../../support/until-refused.ts';

const REQUEST = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n';
const pair = makePair();

async function startSecurely(
  t: TestContext,
  options: Partial<ServiceOptions> = {},
  methods: Partial<StoreReader> = {},
) {
  const { reader, secret } = stubReader(methods);
  const tls = new Tls(pair);
  const metrics = processMetrics();
  const service = await startService(reader, VENDOR, { tls, metrics, ...options });
  t.after(() => service.close());
  const { port } = service;
  const open = (options?: ClientOptions, cert = pair.cert) => connectSecurely(port, cert, options);
  const untilFailed = (count: number) =>
    until(`${count} handshakes have failed`, async () => {
      const { values } = await metrics.failedHandshakes.get();
      return Number(values[0]?.value) >= count;
    });
  return { ...service, tls, secret, untilFailed, open };
}

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  test(`a client with ${version} gets the roster`, async t => {
    const { port, secret } = await startSecurely(t);
    const headers = { 'x-api-key': secret, 'vendor-version': '2023-06-01' };
    const settings = { maxVersion: version, minVersion: version, ca: pair.cert, agent: false } as const;
    const sent = request({ ...settings, host: 'localhost', port, path: LIST_API_KEYS_PATH, headers }).end();
    const [answer] = await once(sent, 'response');
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(await json(answer), { data: [], first_id: null, last_id: null, has_more: false });
  });
}

const refused: Record<string, ClientOptions> = {
  'with TLS 1.1': { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
  'that speaks HTTP/2 only': { ALPNProtocols: ['h2'] },
};
for (const [what, options] of Object.entries(refused)) {
  test(`a client ${what} is refused in the handshake`, async t => {
    const { open, untilFailed } = await startSecurely(t);
    await assert.rejects(open(options), {
      code: /^ERR_SSL_TLSV1_ALERT_(PROTOCOL_VERSION|NO_APPLICATION_PROTOCOL)$/,
    });
    await untilFailed(1);
  });
}

test('plain HTTP, garbage and a reset on the port with TLS close the connection, and are counted without a log line', async t => {
  const { open, port, untilFailed, logText } = await startSecurely(t);
  for (const bytes of [REQUEST, 'garbage'.repeat(100)]) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(bytes, 'latin1');
    const received = await text(socket).catch(() => '');
    assert(!received.includes('HTTP'), received);
  }
  const reset = connect(port, '127.0.0.1');
  await once(reset, 'connect');
  reset.resetAndDestroy();
  await untilFailed(3);
  const socket = await open();
  socket.end(REQUEST);
  assert.match(await text(socket), /^HTTP\/1.1 200 /);
  const lines = logText().trim().split('\n');
  assert.equal(lines.filter(line => !/listening on|"route":"\/healthz"/.test(line)).length, 0, logText());
});

test('a client that closes its half of the connection after a request gets its answer', async t => {
  // The answer must not be ready before the end of the request's half is read.
  const { open } = await startSecurely(t, {}, { checkReadiness: () => wait(50).then(() => []) });
  const socket = await open({ allowHalfOpen: true });
  socket.end(REQUEST.replace('healthz', 'readyz'));
  assert.match(await text(socket), /^HTTP\/1.1 200 /);
});

test('a client that wants to renegotiate is refused, and its connection closed', async t => {
  const { open, logText } = await startSecurely(t);
  const socket = await open({ maxVersion: 'TLSv1.2' });
  const closed = new Promise(resolve => socket.on('close', resolve));
  socket.renegotiate({}, () => assert.fail('renegotiated'));
  await closed;
  assert(!logText().includes('"request"'), logText());
});

test('a connection in its handshake counts for --max-connections', async t => {
  const { open, port } = await startSecurely(t, { maxConnections: 1 });
  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  await assert.rejects(open(), { code: /^(ECONNRESET|EPIPE)$/ });
  silent.destroy();
});

test('a replaced certificate is for new connections; an open one stays and is served', async t => {
  const { open, tls } = await startSecurely(t);
  const before = await open();
  before.write(REQUEST);
  await once(before, 'data');

  const next = makePair();
  tls.replace(next);
  const after = await open({}, next.cert);
  after.end(REQUEST);
  assert.match(await text(after), /^HTTP\/1.1 200 /);
  await assert.rejects(open(), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  await assert.rejects(open(refused['with TLS 1.1'], next.cert));
  before.end(REQUEST);
  assert.match(await text(before), /^HTTP\/1.1 200 /);
});

test('a stopping service answers what comes on accepted connections, also on one that is in its handshake', async t => {
  const { open, port, close } = await startSecurely(t, { shutdown: { delayMs: 0, lingerMs: 600_000 } });
  const idle = await open();
  idle.write(REQUEST);
  await once(idle, 'data');
  const raw = connect(port, '127.0.0.1');
  await once(raw, 'connect');
  idle.write(REQUEST); // its answer shows that the service has accepted `raw` before
  await once(idle, 'data');
  const closed = close();
  await untilRefused(port);
  const late = await open({ socket: raw });
  for (const socket of [idle, late]) {
    socket.write(REQUEST);
    assert.match(await text(socket), /HTTP\/1.1 200 .*connection: close/is);
  }
  await closed;
});
