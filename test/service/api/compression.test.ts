import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { newAnswer } from '../../../src/service/api/answer.ts';
import { acceptsGzip, Compression } from '../../../src/service/api/compression.ts';
import { MAX_COMPRESSIONS } from '../../../src/service/api/limits.ts';
import { type ApiRequest, LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { processMetrics } from '../../../src/service/server/metrics-server.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { retryWhile } from '../../support/retry-overloaded.ts';
import { createOrganization, importKeys, sqlite, VENDOR } from '../../support/roster.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { startService, type TestService } from '../../support/service.ts';

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a request over a connection of its own, again while the service sheds load, and gives the body as it came. */
function send(
  { port }: TestService,
  secret: string,
  accepted: string | undefined,
  { limit = 1_000, method = 'GET' } = {},
): Promise<Answer> {
  const headers = {
    'x-api-key': secret,
    'vendor-version': '2023-06-01',
    ...(accepted !== undefined && { 'accept-encoding': accepted }),
  };
  const path = `${LIST_API_KEYS_PATH}?limit=${limit}`;
  const once = () =>
    new Promise<Answer>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, agent: false, method, path, headers };
      const received = async (answer: IncomingMessage) => {
        const { statusCode: status, headers } = answer;
        return { status, headers, body: await buffer(answer) };
      };
      request(options, answer => resolve(received(answer)))
        .on('error', reject)
        .end();
    });
  return retryWhile(({ status }) => status === 503, once);
}

describeEachStore(
  'a large page',
  open => {
    const metrics = processMetrics();
    let secret: string;
    let service: TestService;
    let plain: Answer;
    before(async () => {
      const organization = await createOrganization(open.writer);
      secret = organization.secret;
      await importKeys(open.writer, organization.id, numberedKeys(1_000));
      service = await startService(open.reader, VENDOR, { metrics });
      plain = await send(service, secret, undefined);
    });
    after(() => service.close());

    test('is compressed, is the same when it is decompressed, and has a HEAD with the same headers', async () => {
      const answer = await send(service, secret, 'gzip');
      assert.equal(answer.headers['content-encoding'], 'gzip');
      assert.equal(answer.headers.vary, 'accept-encoding');
      assert.equal(answer.headers['content-length'], String(answer.body.length));
      assert.equal(answer.headers.etag, undefined);
      assert(answer.body.length < plain.body.length / 4, `${answer.body.length} bytes`);
      assert.deepEqual(gunzipSync(answer.body), plain.body);

      const head = await send(service, secret, 'gzip', { method: 'HEAD' });
      assert.equal(head.body.length, 0);
      for (const name of ['content-encoding', 'content-length', 'content-type', 'vary'])
        assert.equal(head.headers[name], answer.headers[name], name);
    });

    test('is sent as it is to a client that accepts no coding, and says that it varies', async () => {
      for (const answer of [plain, await send(service, secret, 'identity')]) {
        assert.equal(answer.headers['content-encoding'], undefined);
        assert.equal(answer.headers.vary, 'accept-encoding');
        assert.equal(answer.headers['content-length'], String(answer.body.length));
        assert.deepEqual(answer.body, plain.body);
      }
    });

    test('is never compressed by a service that is told not to', async () => {
      const without = await startService(open.reader, VENDOR, { compression: false });
      const answer = await send(without, secret, 'gzip');
      await without.close();
      assert.deepEqual([answer.headers['content-encoding'], answer.headers.vary], [undefined, undefined]);
      assert.deepEqual(answer.body, plain.body);
    });

    test('a small page and an error are sent as they are', async () => {
      for (const limit of [20, 0]) {
        const { headers } = await send(service, secret, 'gzip', { limit });
        assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, undefined]);
      }
    });
  },
  [sqlite],
);

test('an answer is sent as it is while as many others are compressed as may be at a time', async () => {
  const compression = new Compression();
  const asking = { header: () => 'gzip' } as unknown as ApiRequest;
  const answerOf = (bytes: number) => Object.assign(newAnswer(), { body: Buffer.alloc(bytes, 'a') });
  const answers = Array.from({ length: MAX_COMPRESSIONS + 1 }, () => answerOf(1_000_000));
  await Promise.all(answers.map(answer => compression.apply(answer, asking)));
  const compressed = answers.filter(({ headers }) => headers['content-encoding'] === 'gzip');
  assert(compressed.length >= 1 && compressed.length <= MAX_COMPRESSIONS, `${compressed.length}`);
  for (const answer of answers) {
    assert.equal(answer.headers.vary, 'accept-encoding');
    assert.equal(answer.body.length < 1_000_000, compressed.includes(answer));
  }
  const next = answerOf(1_000_000);
  await compression.apply(next, asking);
  assert.equal(next.headers['content-encoding'], 'gzip');
});

test('large answers are compressed for clients whose accept-encoding has gzip, as RFC 9110 (section 12.5.3) reads it', () => {
  const lists = ['gzip', 'gzip, deflate, br, zstd', 'GZIP', ' br ,\tgzip ; q=0.5 '];
  for (const accepted of [...lists, '*', '*;q=0, gzip;q=0.5', 'identity;q=0, gzip'])
    assert.equal(acceptsGzip({ header: () => accepted }), true, accepted);
  const without = ['', '*;q=0', 'gzip;q=0', 'gzip;q=0.000, *', 'gzip;Q=0', 'deflate, compress, x-gzip, br'];
  const wrong = ['gzip;q=much', 'gzip;q=-1', 'gzip br', ',,,', '"gzip', '__proto__, constructor'];
  for (const accepted of [undefined, ...without, ...wrong, `${'x, '.repeat(5_000)}gzip`])
    assert.equal(acceptsGzip({ header: () => accepted }), false, String(accepted).slice(0, 20));
});
