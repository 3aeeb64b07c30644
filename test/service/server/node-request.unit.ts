import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { clientAddressBehind } from '../../../src/service/api/client-address.ts';
import { NodeRequest } from '../../../src/service/server/handle.ts';
import type { IncomingRequest } from '../../../src/service/server/messages.ts';
import { atEndOf, temporaryFolder } from '../../support/scope.ts';

const skip = process.platform === 'win32' && 'Windows has no Unix sockets';
const headers = { 'x-forwarded-for': '10.1.2.3, 198.51.100.7' };

describe('a request over a Unix socket of a server that is not ours', { skip }, () => {
  test('comes from 127.0.0.1, whose header is believed only if that is a trusted proxy', async t => {
    const socketPath = join(temporaryFolder(t), 'server.sock');
    const server = createServer((_, response) => response.end()).listen(socketPath);
    atEndOf(t, () => server.close());
    const asked = once(server, 'request');
    await once(request({ socketPath, headers, agent: false }).end(), 'response');
    const incoming = new NodeRequest((await asked)[0] as IncomingRequest);
    for (const [proxies, client] of [
      [[], '127.0.0.1'],
      [['10.0.0.0/8'], '127.0.0.1'],
      [['127.0.0.1'], '198.51.100.7'],
    ] as [string[], string][])
      assert.equal(clientAddressBehind(proxies)(incoming), client);
  });
});

test('a request whose connection has no address any more comes from nobody, whatever it says', () => {
  const server = { address: () => ({ address: '127.0.0.1', family: 'IPv4', port: 80 }) };
  for (const socket of [{}, { server }, { server: {} }]) {
    const incoming = { httpVersion: '1.1', headers, rawHeaders: [], socket };
    assert.equal(clientAddressBehind(['127.0.0.1'])(new NodeRequest(incoming)), undefined);
  }
});

test('a request with as many headers as the server reads is refused: some Node versions drop the rest, as that of a proxy', () => {
  const withHeaders = (count: number, server: { maxHeadersCount?: number | null }) => {
    const rawHeaders = ['host', 'a', ...Array.from({ length: count - 1 }, () => ['a', 'b']).flat()];
    const incoming = { httpVersion: '1.1', headers: { host: 'a' }, rawHeaders, socket: { server } };
    return () => new NodeRequest(incoming).requireWellFormed();
  };
  withHeaders(999, { maxHeadersCount: null })();
  assert.throws(withHeaders(1_000, {}), { status: 431, message: 'headers: too large' });
  withHeaders(9, { maxHeadersCount: 10 })();
  assert.throws(withHeaders(10, { maxHeadersCount: 10 }), { status: 431 });
});
