import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { KeyrosterClient, KeyrosterError } from '../../../../src/client/client.ts';
import { startAnsweringService } from '../../../support/answering-service.ts';
import { keyroster } from '../../../support/command-line.ts';
import { startConnectProxy } from '../../../support/connect-proxy.ts';
import { exampleRecord } from '../../../support/example-record.ts';
import { suiteScope } from '../../../support/scope.ts';

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
  /** A service that answers each request with this text, compressed. */
  const compressedService = (text: string) => {
    const body = gzipSync(text);
    return startAnsweringService(scope, ({ headers }, response) => {
      if (!String(headers['accept-encoding']).includes('gzip')) return response.writeHead(500).end();
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
    });
  };

  test('reads at most 16 MiB of what an answer decompresses to', async () => {
    const baseUrl = await compressedService(SPACES);
    const { apiKeys } = new KeyrosterClient({ baseUrl, adminKey: 'x', retries: 0 });
    const tooLarge = (error: unknown) => error instanceof KeyrosterError && /16 MiB/.test(error.message);
    await assert.rejects(async () => apiKeys.list(), tooLarge);
  });

  test('asks for a compressed answer, and reads it, through a proxy too', async () => {
    const { port } = new URL(await compressedService(page));
    const proxy = await startConnectProxy(scope, Number(port));
    const env = { KEYROSTER_ADMIN_KEY: 'x', HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
    const args = ['list', '--format', 'jsonl', '--base-url', 'http://service.example'];
    const { stdout } = await keyroster(args, { env });
    assert.deepEqual(JSON.parse(stdout), exampleRecord);
    assert.equal(proxy.asked.length, 1);
  });
});
