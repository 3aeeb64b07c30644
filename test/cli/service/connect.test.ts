import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import { askingForCompressed } from '../../../src/cli/service/connect.ts';
import { KeyrosterClient, KeyrosterError } from '../../../src/client/client.ts';
import { startAnsweringService } from '../../support/answering-service.ts';
import { keyroster } from '../../support/command-line.ts';
import { startConnectProxy } from '../../support/connect-proxy.ts';
import { exampleRecord } from '../../support/example-record.ts';
import { suiteScope } from '../../support/scope.ts';

const compress = {
  zstd: zlib.zstdCompressSync,
  br: zlib.brotliCompressSync,
  gzip: zlib.gzipSync,
} as const;

/** More than a client reads. */
const SPACES = ' '.repeat(20 * 2 ** 20);

const page = JSON.stringify({
  data: [exampleRecord],
  first_id: exampleRecord.id,
  last_id: exampleRecord.id,
  has_more: false,
});

describe('a command', () => {
  const scope = suiteScope();
  /** A service that answers each request with this text, compressed by this coding. */
  const compressedService = (coding: keyof typeof compress, text: string) => {
    const body = compress[coding](text);
    return startAnsweringService(scope, ({ headers }, response) => {
      const accepted = String(headers['accept-encoding']).split(', ');
      if (!accepted.includes(coding)) return response.writeHead(500).end();
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding }).end(body);
    });
  };
  const clientOf = (baseUrl: string) =>
    new KeyrosterClient({ baseUrl, adminKey: 'x', retries: 0, fetch: askingForCompressed(fetch) });

  for (const coding of Object.keys(compress) as (keyof typeof compress)[]) {
    test(`asks for ${coding}, and reads it`, async () => {
      const { data } = await clientOf(await compressedService(coding, page)).apiKeys.list();
      assert.deepEqual(data, [exampleRecord]);
    });

    test(`reads at most 16 MiB of what ${coding} decompresses to`, async () => {
      const { apiKeys } = clientOf(await compressedService(coding, SPACES));
      const tooLarge = (error: unknown) => error instanceof KeyrosterError && /16 MiB/.test(error.message);
      await assert.rejects(async () => apiKeys.list(), tooLarge);
    });
  }

  test('asks for zstd through a proxy too', async () => {
    const { port } = new URL(await compressedService('zstd', page));
    const proxy = await startConnectProxy(scope, Number(port));
    const env = { KEYROSTER_ADMIN_KEY: 'x', HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
    const args = ['list', '--format', 'jsonl', '--base-url', 'http://service.example'];
    const { stdout } = await keyroster(args, { env });
    assert.deepEqual(JSON.parse(stdout), exampleRecord);
    assert.equal(proxy.asked.length, 1);
  });
});
