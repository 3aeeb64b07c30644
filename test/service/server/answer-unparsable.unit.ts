import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { EMPTY_PAGE } from '../../../src/service/roster/pages/joined-page.ts';
import { UnparsableRequests } from '../../../src/service/server/answer-unparsable.ts';
import { Service } from '../../../src/service/server/service.ts';
import { startStubRosterService } from '../../support/http.ts';
import { exchange, pipeline } from '../../support/pipeline.ts';
import { VENDOR } from '../../support/roster.ts';
import { stubReader } from '../../support/service.ts';

const { lines, service } = await startStubRosterService({ after });
const TARGET = `GET ${LIST_API_KEYS_PATH}`;

describe('a malformed request', () => {
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
