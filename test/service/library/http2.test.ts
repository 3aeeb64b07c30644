import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type IncomingHttpHeaders } from 'node:http2';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { createKeyroster, type RequestToAuthenticate } from '../../../src/service/library/library.ts';
import { listen } from '../../support/listen.ts';
import { atEndOf } from '../../support/scope.ts';

test('over HTTP/2 handle gives the same answers, and authenticate gets no pseudo-header', async t => {
  const requests: RequestToAuthenticate[] = [];
  const lines: string[] = [];
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  atEndOf(t, () => process.off('warning', onWarning));
  const keyroster = await createKeyroster({
    roster: { listApiKeys: async () => ({ items: [], hasMore: false }) },
    log: { write: line => lines.push(line) },
    authenticate: asked => {
      requests.push(asked);
      return { organizationId: 'org_1', callerId: 'ann' };
    },
  });
  let handled: Promise<void> | undefined;
  const server = createServer((request, response) => {
    handled = keyroster.handle(request, response);
  });
  const session = connect(`http://127.0.0.1:${await listen(t, server)}`);
  atEndOf(t, () => session.destroy());
  const send = async (method: string, path = LIST_API_KEYS_PATH, body?: string, tellsLength = true) => {
    const length = body === undefined || !tellsLength ? {} : { 'content-length': body.length };
    const head = { ':method': method, ':path': path, 'vendor-version': '2023-06-01', ...length };
    const stream = session.request(head, { endStream: body === undefined });
    if (body !== undefined) stream.end(body);
    const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }];
    const answer = await text(stream);
    await handled;
    return { status: headers[':status'], headers, body: answer && JSON.parse(answer) };
  };

  const page = await send('GET');
  assert.equal(page.status, 200);
  assert.deepEqual(page.body.data, []);
  const head = await send('HEAD');
  assert.equal(head.body, '');
  assert.equal(head.headers['content-length'], page.headers['content-length']);
  assert.equal((await send('POST')).headers.allow, 'GET, HEAD');
  assert.equal((await send('GET', `${LIST_API_KEYS_PATH}?limit=0`)).status, 400);
  assert.equal((await send('GET', '/nothing')).status, 404);
  for (const tellsLength of [true, false]) {
    const { body } = await send('GET', LIST_API_KEYS_PATH, '{}', tellsLength);
    assert.equal(body.error.message, 'body: a GET has none');
  }
  assert.equal((await send('GET', LIST_API_KEYS_PATH, '')).status, 200);
  assert.deepEqual(
    requests.flatMap(({ headers }) => [...headers.keys()].filter(name => name.startsWith(':'))),
    [],
  );
  assert.deepEqual(
    lines.map(line => JSON.parse(line).status),
    [200, 200, 405, 400, 404, 400, 400, 200],
  );
  await keyroster.close();
  await send('GET');
  assert.deepEqual(warnings, []);
});
