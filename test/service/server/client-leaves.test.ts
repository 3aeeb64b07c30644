/** Clients that reset or half-close their connection. Every request that was understood has one log line and is counted once. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Metrics } from '../../../src/service/api/metrics.ts';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { EMPTY_PAGE } from '../../../src/service/roster/pages/joined-page.ts';
import { processMetrics } from '../../../src/service/server/metrics-server.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { createOrganization, importKeys, sqlite, VENDOR } from '../../support/roster.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { startService, stubReader, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const CLIENTS = 40;
const INVALID = 'vendor-admin01-notakey';

const get = (secret: string, query = '', path = LIST_API_KEYS_PATH) =>
  `GET ${path}?${query} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${secret}\r\nvendor-version: 2023-06-01\r\n\r\n`;

/** Sends the bytes and resets the connection at once. */
async function sendAndReset(port: number, bytes: string): Promise<void> {
  const socket = await opened(port);
  await new Promise(resolve => socket.write(bytes, resolve));
  socket.resetAndDestroy();
  await once(socket, 'close');
}

async function opened(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  return socket.on('error', () => {});
}

const repeat = (count: number, run: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, () => run()));

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly request_id: string;
  readonly status: number;
  readonly admin_key_id?: string;
}

const linesOf = (service: TestService): Line[] =>
  service
    .logText()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));

/** Waits for this many requests in the log. Asserts that there aren't more, that they are counted, and that nothing failed. */
async function assertTold(service: TestService, metrics: Metrics, count: number): Promise<Line[]> {
  const requests = () => linesOf(service).filter(({ msg }) => msg === 'request');
  await until(`the log has ${count} requests`, () => requests().length >= count);
  await wait(50); // for a second line
  const lines = requests();
  assert.equal(lines.length, count);
  assert.equal(new Set(lines.map(({ request_id }) => request_id)).size, count);
  assert.equal(await counted(metrics, 'http_request_duration_seconds'), count);
  assert.deepEqual(
    linesOf(service).filter(({ level }) => level > 30),
    [],
  );
  return lines;
}

async function counted(metrics: Metrics, name: string): Promise<number> {
  const values = (await metrics.registry.getSingleMetric(name)?.get())?.values ?? [];
  return values
    .filter(value => !('metricName' in value) || value.metricName === `${name}_count`)
    .reduce((sum, { value }) => sum + value, 0);
}

const statusesOf = (lines: Line[]) => [...new Set(lines.map(({ status }) => status))];

describeEachStore(
  'a client that leaves',
  open => {
    let secret: string;
    let service: TestService;
    let metrics: Metrics;

    before(async () => {
      const organization = await createOrganization(open.writer);
      secret = organization.secret;
      const long = { name: 'x'.repeat(1_000) };
      const keys = numberedKeys(1_000).map(key => ({ ...key, ...long }));
      await importKeys(open.writer, organization.id, keys);
    });

    /** Runs each test with a service of its own, so that it can count from 0. */
    const withService = (what: string, run: () => Promise<void>) =>
      test(what, async () => {
        metrics = processMetrics();
        service = await startService(open.reader, VENDOR, { metrics, rateLimit: 1_000 });
        try {
          await run();
        } finally {
          await service.close();
        }
      });

    withService('by a reset, after a valid request: it has one line', async () => {
      await repeat(CLIENTS, () => sendAndReset(service.port, get(secret)));
      const lines = await assertTold(service, metrics, CLIENTS);
      for (const { status } of lines) assert([200, 499].includes(status), String(status));
    });

    withService('by a reset, after a request with an unknown admin key: the failure is counted', async () => {
      const unknown = secret.replace(/.{12}$/, 'A'.repeat(12));
      for (const key of [unknown, INVALID]) await repeat(CLIENTS, () => sendAndReset(service.port, get(key)));
      const lines = await assertTold(service, metrics, 2 * CLIENTS);
      for (const { status } of lines) assert([401, 429, 499].includes(status), String(status));
      assert.equal(await counted(metrics, 'keyroster_failed_authentications_total'), 2 * CLIENTS);
    });

    withService('by a FIN after several requests: it gets all the answers', async () => {
      const socket = await opened(service.port);
      socket.end(get(secret, 'limit=3').repeat(5));
      const answers = await text(socket);
      assert.equal(answers.match(/HTTP\/1.1 200 /g)?.length, 5);
      await assertTold(service, metrics, 5);
    });

    withService('while it reads the page: the line has the status 499, and who left', async () => {
      const socket = await opened(service.port);
      // More than the buffers of both sides take.
      socket.write(get(secret, 'limit=1000').repeat(12));
      await once(socket, 'readable');
      socket.read(1_000);
      await wait(300);
      socket.destroy();
      await once(socket, 'close');
      await wait(50);
      const begun = linesOf(service).filter(({ msg }) => msg === 'request').length;
      assert(begun < 12); // the others waited for the answer that wasn't read
      const lines = await assertTold(service, metrics, begun);
      const left = lines.filter(({ status }) => status === 499);
      assert.equal(left.length, 1);
      assert.match(left[0]?.admin_key_id ?? '', /^adminkey_/);
    });
  },
  [sqlite],
);

describe('a client that leaves while the store reads', () => {
  const gate = Promise.withResolvers<void>();
  const metrics = processMetrics();
  let reads = 0;
  const { reader, secret } = stubReader({
    listApiKeys: async () => {
      reads += 1;
      await gate.promise;
      return EMPTY_PAGE;
    },
  });
  let service: TestService;
  before(async () => {
    service = await startService(reader, VENDOR, { metrics });
  });
  after(() => service.close());

  test('has one line with the status 499 and its admin key for each request that was begun', async () => {
    const sockets = await Promise.all(Array.from({ length: 5 }, () => opened(service.port)));
    for (const socket of sockets) socket.write(get(secret).repeat(3)); // the others wait behind the first
    await until('five pages are read', () => reads >= 5);
    for (const socket of sockets) socket.resetAndDestroy();
    await wait(50);
    gate.resolve();
    const lines = await assertTold(service, metrics, 5);
    assert.equal(reads, 5);
    assert.deepEqual(statusesOf(lines), [499]);
    for (const { admin_key_id } of lines) assert.match(admin_key_id ?? '', /^adminkey_/);
  });
});

test('the service survives a client that sends any request and resets the connection', async context => {
  const metrics = processMetrics();
  const { reader, secret } = stubReader({ listApiKeys: async () => wait(20, EMPTY_PAGE) });
  const service = await startService(reader, VENDOR, { metrics });
  context.after(() => service.close());
  const connecting = 'CONNECT example.com:443 HTTP/1.1\r\nhost: localhost\r\n';
  const withBody = `${connecting}content-length: 100\r\n\r\nhalf`;
  for (const bytes of [
    ...['/x', '/%', '/openapi.json'].map(path => get(secret, '', path)),
    ...['hello\r\n\r\n', get(secret).replace('HTTP/1.1', 'HTTP/9.9')],
    ...[`${connecting}\r\n`, `${get(secret)}${connecting}\r\n`, withBody, get(secret) + withBody],
    get(secret).replace(/\r\n$/, 'connection: upgrade\r\nupgrade: x\r\n\r\n'),
  ])
    await repeat(10, () => sendAndReset(service.port, bytes));
  await wait(100);
  assert.equal((await service.list(secret)).status, 200);
  assert.deepEqual(
    linesOf(service).filter(({ level }) => level > 30),
    [],
  );
});
