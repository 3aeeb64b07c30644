import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { EMPTY_PAGE } from '../../../src/service/roster/joined-page.ts';
import { UnparsableRequests } from '../../../src/service/server/answer-unparsable.ts';
import { Service } from '../../../src/service/server/service.ts';
import { exchange, pipeline } from '../../support/pipeline.ts';
import { VENDOR } from '../../support/roster.ts';
import { stubReader } from '../../support/stub-reader.ts';
import { startStubRosterService } from '../../support/stub-roster-service.ts';

const { sendBytes, send, lines, service } = await startStubRosterService({ after });
const TARGET = `GET ${LIST_API_KEYS_PATH}`;

describe('a malformed request', () => {
  // The raw requests of test/support/raw-corpus.ts have all kinds.
  const malformed: Record<string, string> = {
    'a TLS handshake': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'an unknown method': `FETCH ${LIST_API_KEYS_PATH} HTTP/1.1\r\n${lines}\r\n`,
    'bytes beyond ASCII in the URL': `${TARGET}?status=\xe9 HTTP/1.1\r\n${lines}\r\n`,
    'a header without a colon': `${TARGET} HTTP/1.1\r\n${lines}x-api-key\r\n\r\n`,
  };
  for (const [what, bytes] of Object.entries(malformed)) {
    test(`such as ${what}, gets a 400 in the error envelope, and the connection is closed`, async () => {
      const answer = await sendBytes(bytes);
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.body.error, {
        type: 'invalid_request_error',
        message: 'malformed HTTP request',
      });
      assert.equal(answer.headers.connection, 'close');
    });
  }

  const HEAD = `HEAD ${LIST_API_KEYS_PATH}`;
  test('that is a HEAD gets no body', async () => {
    for (const rest of [`x-api-key\r\n`, `x: ${'a'.repeat(20_000)}\r\n`]) {
      const answer = await exchange(service.port, `${HEAD} HTTP/1.1\r\n${lines}${rest}\r\n`);
      assert.match(answer, /^HTTP\/1.1 4.*content-length: \d+\r\n.*\r\n\r\n$/is);
    }
  });

  test('behind a HEAD gets a body', async () => {
    const answers = await exchange(service.port, `${HEAD} HTTP/1.1\r\n${lines}\r\nGET / x HTTP/1.1\r\n\r\n`);
    assert.match(answers, /^HTTP\/1.1 200 .*HTTP\/1.1 400 .*"malformed HTTP request".*\}$/s);
  });

  test('that is a HEAD behind a GET gets no body', async () => {
    const answers = await exchange(
      service.port,
      `${TARGET} HTTP/1.1\r\n${lines}\r\nHEAD / x HTTP/1.1\r\n\r\n`,
    );
    assert.match(answers, /^HTTP\/1.1 200 .*HTTP\/1.1 400 .*\r\n\r\n$/s);
  });

  test('does not affect other callers', async () => assert.equal((await send()).status, 200));
});

describe('the Host header', () => {
  const withoutHost = lines.replace(/^host: .*\r\n/, '');
  const answers: Record<string, [request: string, status: number, message?: string]> = {
    'is required': [`${TARGET} HTTP/1.1\r\n${withoutHost}\r\n`, 400, 'host: header is required'],
    'is not required of HTTP/1.0': [`${TARGET} HTTP/1.0\r\n${withoutHost}\r\n`, 200],
    'must not be sent twice': [
      `${TARGET} HTTP/1.1\r\n${lines}Host: b\r\n\r\n`,
      400,
      'host: header given more than once',
    ],
    'must not be sent twice, even with the same value': [
      `${TARGET} HTTP/1.1\r\nhost: localhost\r\n${lines}\r\n`,
      400,
      'host: header given more than once',
    ],
    'is required on every path': ['GET /x HTTP/1.1\r\n\r\n', 400, 'host: header is required'],
  };
  for (const [what, [request, status, message]] of Object.entries(answers)) {
    test(what, async () => {
      const answer = await sendBytes(request);
      assert.equal(answer.status, status);
      assert.equal(answer.body.error?.message, message);
    });
  }
});

test('what Node would answer by default is answered by the service', async () => {
  const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\n';
  const requests: [request: string, statuses: number[]][] = [
    [`${TARGET} HTTP/1.1\r\n${lines}expect: x\r\n\r\n`, [200, 400]],
    [`CONNECT example.com:443 HTTP/1.1\r\n${lines}\r\n`, [400, 404, 405]],
    [`OPTIONS * HTTP/1.1\r\n${lines}\r\n`, [404]],
    [`${TARGET} HTTP/1.1\r\n${lines}${upgrade}\r\n`, [200]],
  ];
  for (const [request, statuses] of requests) {
    const { status } = await sendBytes(request);
    assert(statuses.includes(status), `${status} to ${request}`);
  }
});

describe('a request that can not be read to its end', () => {
  const faults = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_INVALID_METHOD: 400, ECONNRESET: undefined };
  for (const [code, status] of Object.entries(faults)) {
    test(`because of ${code} is answered with ${status ?? 'nothing'}`, async context => {
      const requests = new UnparsableRequests(() => {});
      const server = createServer(socket => requests.answer(Object.assign(new Error(), { code }), socket));
      context.after(() => server.close());
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const answer = await text(connect((server.address() as AddressInfo).port, '127.0.0.1'));
      if (!status) assert.equal(answer, '');
      else assert.match(answer, new RegExp(`^HTTP/1.1 ${status} .*"invalid_request_error"`, 's'));
    });
  }
});

test('a connection whose CONNECT was refused is closed when its client stays', async context => {
  const service = new Service({ roster: stubReader().reader, vendor: VENDOR });
  context.after(() => {
    service.server.closeAllConnections();
    client.destroy();
    return service.close();
  });
  service.server.setTimeout(100);
  await service.listen({ host: '127.0.0.1', port: 0 });
  const { port } = service.server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const [server] = (await once(service.server, 'connection')) as [Socket];
  client.resume().write('CONNECT example.com:443 HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(server, 'close', { signal: AbortSignal.timeout(5_000) });
});

test('a request after a body whose trailers say "connection: close" is refused, because Node obeys trailers', async () => {
  const body = '3\r\nabc\r\n0\r\nconnection: close\r\n\r\n';
  const bytes = `POST ${LIST_API_KEYS_PATH} HTTP/1.1\r\n${lines}transfer-encoding: chunked\r\n\r\n${body}${TARGET} HTTP/1.1\r\n${lines}\r\n`;
  const { answers } = await pipeline(service.port, bytes, 2);
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.connection]),
    [
      [405, 'keep-alive'],
      [400, 'close'],
    ],
  );
});

test('a malformed request is answered after the earlier requests of its connection', async context => {
  const gate = Promise.withResolvers<void>();
  const slow = await startStubRosterService(context, {
    listApiKeys: async () => {
      await gate.promise;
      return EMPTY_PAGE;
    },
  });
  const socket = connect(slow.service.port, '127.0.0.1');
  socket.write(`${TARGET} HTTP/1.1\r\n${slow.lines}\r\nhello\r\n\r\n`);
  await slow.send({ path: '/openapi.json' });
  gate.resolve();
  const statuses = [...(await text(socket)).matchAll(/HTTP\/1.1 (\d+) /g)].map(([, status]) => status);
  assert.deepEqual(statuses, ['200', '400']);
});
