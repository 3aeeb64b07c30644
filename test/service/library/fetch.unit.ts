import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import {
  createKeyroster,
  type KeyrosterOptions,
  type RequestToAuthenticate,
} from '../../../src/service/library/library.ts';
import { listen } from '../../support/listen.ts';
import { atEndOf } from '../../support/scope.ts';

const roster = { listApiKeys: async () => ({ items: [], hasMore: false }) };
const URL_OF_LIST = `https://example.com${LIST_API_KEYS_PATH}`;
const VERSION = { 'vendor-version': '2023-06-01' };

/** The library, with what it logs and what it gives to `authenticate`. */
async function library(t: TestContext, more: Pick<KeyrosterOptions, 'trustedProxies'> = {}) {
  const lines: string[] = [];
  const requests: RequestToAuthenticate[] = [];
  const options: KeyrosterOptions = {
    roster,
    authenticate: async asked => {
      requests.push(asked);
      return { organizationId: 'org_1', callerId: 'ann' };
    },
    log: { write: line => lines.push(line) },
    ...more,
  };
  const keyroster = await createKeyroster(options);
  atEndOf(t, () => keyroster.close());
  return { ...keyroster, requests, lines, lastLine: () => JSON.parse(lines.at(-1) ?? '') };
}

describe('fetch of a request of node:http', () => {
  /** A server that sends the `Response` as Fastify and Koa do. */
  async function startServer(t: TestContext) {
    const { fetch, requests, lastLine } = await library(t);
    const server = createServer(async (incoming, response) => {
      const answer = await fetch(incoming);
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    const port = await listen(t, server);
    const send = (method: string, headers: Record<string, string | string[]> = {}) =>
      new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
        const sent = { port, method, path: LIST_API_KEYS_PATH, headers: { ...VERSION, ...headers } };
        request({ ...sent, agent: false }, async answer => {
          resolve({ status: answer.statusCode, body: await text(answer) });
        })
          .on('error', reject)
          .end();
      });
    return { send, requests, lastLine };
  }

  test('gives authenticate that request, and the address of its client', async t => {
    const { send, requests } = await startServer(t);
    assert.equal((await send('GET')).status, 200);
    const [{ clientAddress, original }] = requests as [RequestToAuthenticate];
    assert.equal(clientAddress, '127.0.0.1');
    assert.ok('rawHeaders' in (original as object));
  });

  test('answers every method, those that a Request refuses too', async t => {
    const { send } = await startServer(t);
    assert.deepEqual(await send('HEAD'), { status: 200, body: '' });
    assert.throws(() => new Request(URL_OF_LIST, { method: 'TRACE' }), TypeError);
    for (const method of ['POST', 'TRACE', 'PROPFIND'])
      assert.equal((await send(method)).status, 405, method);
  });
});

describe('fetch of a Request', () => {
  test('answers HEAD as GET, without a body, and refuses both with a body', async t => {
    const { fetch } = await library(t);
    const page = await fetch(new Request(URL_OF_LIST, { headers: VERSION }));
    const head = await fetch(new Request(URL_OF_LIST, { method: 'HEAD', headers: VERSION }));
    assert.deepEqual([...head.headers.keys()], [...page.headers.keys()]);
    assert.deepEqual(
      [await head.text(), head.headers.get('content-length')],
      ['', `${(await page.text()).length}`],
    );
    for (const method of ['GET', 'HEAD'])
      for (const body of [{ 'content-length': '2' }, { 'transfer-encoding': 'chunked' }]) {
        const request = new Request(URL_OF_LIST, { method, headers: { ...VERSION, ...body } });
        assert.equal((await fetch(request)).status, 400);
      }
  });

  test('whose client has left by the time of the answer is logged with the status 499', async t => {
    const { fetch, lastLine } = await library(t);
    const left = new AbortController();
    const answering = fetch(new Request(URL_OF_LIST, { headers: VERSION, signal: left.signal }));
    left.abort();
    await answering;
    assert.equal(lastLine().status, 499);
    await fetch(new Request(URL_OF_LIST, { headers: VERSION }));
    assert.equal(lastLine().status, 200);
  });

  test('with trusted proxies is refused unless it comes with the address of its peer', async t => {
    const { fetch, requests, lines } = await library(t, { trustedProxies: ['127.0.0.1'] });
    const headers = { ...VERSION, 'x-forwarded-for': '10.1.2.3' };
    for (const context of [undefined, {}, { params: {} }, { clientAddress: undefined }]) {
      assert.equal((await fetch(new Request(URL_OF_LIST, { headers }), context)).status, 500);
      assert.match(
        JSON.parse(lines.splice(0)[0] ?? '').err.message,
        /^trustedProxies: a Request .* fetch\(request, \{ clientAddress \}\)/,
      );
    }
    const known = [
      ['127.0.0.1', '10.1.2.3'],
      ['203.0.113.7', '203.0.113.7'],
      ['unknown', undefined],
    ];
    for (const [clientAddress] of known)
      assert.equal((await fetch(new Request(URL_OF_LIST, { headers }), { clientAddress })).status, 200);
    assert.deepEqual(
      requests.map(({ clientAddress }) => clientAddress),
      known.map(([, client]) => client),
    );
  });
});
