import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { EMPTY_PAGE } from '../../../src/service/roster/pages/joined-page.ts';
import { callerOf } from '../../support/http.ts';
import { VENDOR } from '../../support/roster.ts';
import { startService, stubReader } from '../../support/service.ts';
import { untilRefused } from '../../support/until-refused.ts';

/** So long that a test that waits for all of it times out. */
const LONG_MS = 600_000;
/** Long enough for two requests on a busy machine; the test waits for its end. */
const DELAY_MS = 2_000;

async function drainingService(shutdown: { delayMs: number; lingerMs: number }) {
  const reachedStore = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const { reader, secret } = stubReader({
    listApiKeys: async () => {
      reachedStore.resolve();
      await answered.promise;
      return EMPTY_PAGE;
    },
  });
  const service = await startService(reader, VENDOR, { shutdown });
  const { lines } = callerOf(service.port, secret);
  const request = `GET ${LIST_API_KEYS_PATH} HTTP/1.1\r\n${lines}\r\n`;
  return { service, request, reachedStore: reachedStore.promise, answer: () => answered.resolve() };
}

test('after the linger time idle connections are closed, and a request in progress is still answered', async () => {
  const { service, request, reachedStore, answer } = await drainingService({ delayMs: 0, lingerMs: 10 });
  const idle = connect(service.port, '127.0.0.1');
  const busy = connect(service.port, '127.0.0.1');
  busy.write(request);
  idle.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await Promise.all([once(idle, 'data'), reachedStore]);
  const closed = service.close();
  await text(idle);
  answer();
  assert.match(await text(busy), /^HTTP\/1.1 200 .*connection: close/is);
  await closed;
});

test('connections that the system has accepted when the service stops listening are answered', async () => {
  const delayMs = 50;
  const { service, request, answer } = await drainingService({ delayMs, lingerMs: LONG_MS });
  answer();
  // Of timers for the same time the first set comes first: these connect in the turn in which the service stops listening.
  const connected = wait(delayMs).then(() =>
    Array.from({ length: 5 }, () => connect(service.port, '127.0.0.1')),
  );
  const closed = service.close();
  for (const socket of await connected) {
    socket.write(request);
    const [answered] = await once(socket, 'data');
    assert.match(String(answered), /^HTTP\/1.1 200 /);
    socket.destroy();
  }
  await closed;
});

test('the next request of a connection that was idle when the service stopped is answered', async () => {
  const { service, request, answer } = await drainingService({ delayMs: 0, lingerMs: LONG_MS });
  answer();
  const socket = connect(service.port, '127.0.0.1');
  socket.write(request);
  await once(socket, 'data');
  const closed = service.close();
  await untilRefused(service.port);
  socket.write(request);
  assert.match(await text(socket), /HTTP\/1.1 200 .*connection: close/is);
  await closed;
});

test('until the delay is over, a stopping service accepts and keeps connections, and reports that it is not ready', async () => {
  const { service, request, answer } = await drainingService({ delayMs: DELAY_MS, lingerMs: 0 });
  answer();
  const closed = service.close();
  const socket = connect(service.port, '127.0.0.1');
  socket.write(request);
  const [answered] = await once(socket, 'data');
  assert.match(String(answered), /^HTTP\/1.1 200 .*connection: keep-alive/is);
  const probe = connect(service.port, '127.0.0.1');
  probe.write('GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n');
  assert.match(await text(probe), /^HTTP\/1.1 503 .*the service is stopping/s);
  await closed;
});
