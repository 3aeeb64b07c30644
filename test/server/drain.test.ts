import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { LIST_API_KEYS_PATH } from '../../src/server/paths.ts';
import { callerOf } from '../support/http.ts';
import { VENDOR } from '../support/roster.ts';
import { startService } from '../support/service.ts';
import { stubReader } from '../support/stub-reader.ts';

/** So long that a test which waited for its end would fail by the runner's limit. */
const LONG_MS = 600_000;

async function drainingService(shutdown: { delayMs: number; lingerMs: number }) {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const { reader, secret } = stubReader({
    listApiKeys: async () => {
      asked.resolve();
      await answered.promise;
      return { items: [], hasMore: false };
    },
  });
  const service = await startService(reader, VENDOR, { shutdown });
  const { lines } = callerOf(service.port, secret);
  const request = `GET ${LIST_API_KEYS_PATH} HTTP/1.1\r\n${lines}\r\n`;
  return { service, request, asked: asked.promise, answer: () => answered.resolve() };
}

test('while it stops, a request under way is answered, and its connection closed', async () => {
  const { service, request, asked, answer } = await drainingService({ delayMs: 0, lingerMs: LONG_MS });
  const socket = connect(service.port, '127.0.0.1');
  socket.write(request);
  await asked;
  const closed = service.close();
  await refused(service.port);
  answer();
  const got = await text(socket);
  assert.match(got, /^HTTP\/1.1 200 /);
  assert.match(got, /^connection: close\r$/im);
  await closed;
});

test('a connection that was idle when it began to stop has its next request answered', async () => {
  const { service, request, answer } = await drainingService({ delayMs: 0, lingerMs: LONG_MS });
  answer();
  const socket = connect(service.port, '127.0.0.1');
  socket.write(request);
  await once(socket, 'data');
  const closed = service.close();
  await refused(service.port);
  socket.write(request);
  assert.match(await text(socket), /HTTP\/1.1 200 .*connection: close/is);
  await closed;
});

test('an idle connection that asks nothing more is closed after the linger', async () => {
  const { service } = await drainingService({ delayMs: 0, lingerMs: 10 });
  const socket = connect(service.port, '127.0.0.1');
  await once(socket, 'connect');
  await Promise.all([service.close(), text(socket)]);
});

test('until the delay is over it takes new connections, and says that it is not ready', async () => {
  const { service, request, answer } = await drainingService({ delayMs: 300, lingerMs: 0 });
  answer();
  const closed = service.close();
  const asked = connect(service.port, '127.0.0.1');
  asked.write(request);
  assert.match(await text(asked), /^HTTP\/1.1 200 .*connection: close/is);
  const probe = connect(service.port, '127.0.0.1');
  probe.write('GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n');
  assert.match(await text(probe), /^HTTP\/1.1 503 .*the service is stopping/s);
  await closed;
});

test('it may take longer than Fastify allows a hook', async t => {
  const { service, request, answer } = await drainingService({ delayMs: 0, lingerMs: LONG_MS });
  const socket = connect(service.port, '127.0.0.1');
  socket.write(request);
  t.mock.timers.enable({ apis: ['setTimeout'] }); // Fastify's limit, and none of what is awaited here
  const closed = service.close();
  await refused(service.port);
  t.mock.timers.tick(LONG_MS);
  answer();
  assert.match(await text(socket), /^HTTP\/1.1 200 .*connection: close/is);
  await closed;
});

/** Resolves once nothing listens there. */
async function refused(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (!connected) return;
    await wait(1);
  }
}
