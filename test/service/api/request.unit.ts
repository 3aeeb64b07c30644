import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { startStubRosterService } from '../../support/http.ts';

const { send, sendBytes, lines, organization } = await startStubRosterService({ after });
const METHOD_RULE = 'method: must be GET or HEAD';

describe('another path', () => {
  const paths = [
    ...['/', '/v1/organizations', '/v1/organizations/api_keys/', '/v1/organizations/api_keys/x'],
    ...['//v1/organizations/api_keys', '/v1/organizations/API_KEYS', '/v1/organizations/api_keys;x'],
    '/v1/organizations/api_keys%3Fstatus=active',
  ];
  test('is not found by any method, and the error names the right path', async () => {
    const message = `path: not found; API keys are listed at ${LIST_API_KEYS_PATH}`;
    for (const path of paths)
      for (const method of ['GET', 'HEAD', 'POST']) {
        const { status, body } = await send({ method, path });
        assert.equal(status, 404, `${method} ${path}`);
        if (method !== 'HEAD') assert.deepEqual(body.error, { type: 'not_found_error', message });
      }
  });

  test('with malformed percent-encoding is refused', async () => {
    const answer = await send({ path: '/v1/%zz' });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error.message, 'path: malformed percent-encoding');
  });

  test('that is another spelling of the right one is treated alike by every method', async () => {
    for (const path of ['/v1/organizations/api%5Fkeys', `http://localhost${LIST_API_KEYS_PATH}`]) {
      const found = (await send({ path })).status === 200;
      assert.equal((await send({ method: 'POST', path })).status, found ? 405 : 404, path);
    }
  });

  test('with a fragment never lists everything: "#" is not allowed in a request', async () => {
    for (const fragment of ['#status=archived', '#?status=archived', '#']) {
      const answer = await sendBytes(`GET ${LIST_API_KEYS_PATH}${fragment} HTTP/1.1\r\n${lines}\r\n`);
      assert([400, 404].includes(answer.status), `${fragment}: ${answer.status}`);
    }
  });
});

describe('another method', () => {
  test('is refused, and the answer names the allowed methods', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY', 'PURGE']) {
      const answer = await send({ method });
      assert.equal(answer.status, 405, method);
      assert.equal(answer.headers.allow, 'GET, HEAD');
      assert.deepEqual(answer.body.error, { type: 'invalid_request_error', message: METHOD_RULE });
    }
  });

  test('is refused with a body like without, whatever its type', async () => {
    for (const type of ['application/json', ';;;', undefined])
      for (const body of ['', '{', 'x'.repeat(2_000_000)])
        assert.equal((await send({ method: 'POST', body, headers: { 'content-type': type } })).status, 405);
  });
});

describe('a GET', () => {
  test('without a body may have any content-type', async () => {
    for (const type of ['application/json', 'text/plain', ';;;', ''])
      assert.equal((await send({ headers: { 'content-type': type } })).status, 200, type);
  });

  const withBody = [
    { headers: { 'content-type': 'application/json', 'content-length': '2' }, body: '{}' },
    { headers: { 'transfer-encoding': 'chunked' }, body: '2\r\n{}\r\n0\r\n\r\n' },
  ];
  test('with a body is refused, because the body could be another request', async () => {
    for (const sent of withBody) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, body } = await send({ method, ...sent });
        assert.deepEqual([status, headers.connection], [400, 'close']);
        if (method === 'GET') assert.equal(body.error.message, 'body: a GET has none');
      }
    }
    assert.equal((await send({ headers: { 'content-length': '0' } })).status, 200);
  });

  test('gets the same answer whatever headers a proxy or a browser adds', async () => {
    const added = {
      accept: 'text/html',
      'accept-version': '9',
      origin: 'https://example.com',
      range: 'bytes=0-1',
    };
    const conditions = { 'if-none-match': '*', 'accept-encoding': 'gzip, br', upgrade: 'h2c' };
    const answer = await send({ headers: { ...added, ...conditions, 'x-http-method-override': 'POST' } });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['vendor-organization-id'], organization);
  });
});

test('the request ID is new for every request; one that the client sends is not echoed', async () => {
  const given = `req_${'0'.repeat(32)}`;
  const seen = new Set<string | undefined>([given]);
  for (const path of [undefined, undefined, '/x', '/openapi.json', '/%zz']) {
    const headers = { 'request-id': given, 'x-request-id': given };
    const answer = await send({ ...(path && { path }), headers });
    assert(!answer.text.includes(given));
    assert(!seen.has(answer.headers['request-id']));
    seen.add(answer.headers['request-id']);
  }
});
