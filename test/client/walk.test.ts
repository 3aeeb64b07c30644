import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { KeyrosterClient, KeyrosterError } from '../../src/client/client.ts';
import { startAnsweringService } from '../support/answering-service.ts';
import { exampleRecord } from '../support/example-record.ts';
import { suiteScope } from '../support/scope.ts';
import { collect } from '../support/seeded-service.ts';

/** A test that walks for ever fails after so many requests. */
const MAX_REQUESTS = 50;

const at = (second: number, id: string, created_at = `2024-10-30T23:58:${second}.427722Z`) => ({
  ...exampleRecord,
  id,
  created_at,
});
type Listed = ReturnType<typeof at>;

/** A client of a service that answers these pages in turn, again and again, each with more to come. */
function clientOf(...pages: (readonly Listed[])[]): KeyrosterClient {
  let requests = 0;
  const answer = async () => {
    const data = pages[requests++ % pages.length] ?? [];
    assert(requests <= MAX_REQUESTS, 'the walk has no end');
    return Response.json({
      data,
      first_id: data.at(0)?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_more: true,
    });
  };
  return new KeyrosterClient({ baseUrl: 'http://127.0.0.1', adminKey: 'x', retries: 0, fetch: answer });
}

const unexpected = (message: RegExp) => (error: Error) =>
  error instanceof KeyrosterError && error.type === 'unexpected_answer_error' && message.test(error.message);

describe('a walk ends with an error', () => {
  const [a, b] = [
    [at(59, 'k9'), at(58, 'k8')],
    [at(57, 'k7'), at(56, 'k6')],
  ] as const;
  const circle = /all of its records came before, so there is no end/;

  test('when its pages go in a circle', async () => {
    await assert.rejects(collect(clientOf(a, b).apiKeys.list()), unexpected(circle));
  });

  test('backwards too', async () => {
    const { apiKeys } = clientOf(b, a);
    await assert.rejects(collect(apiKeys.list({ before_id: 'k5' })), unexpected(circle));
  });
});

test('a walk goes on over times that are written with fewer digits or an offset, and over equal ones', async () => {
  const pages = [
    [at(0, 'k9', '2024-10-30T23:58:50.4277Z'), at(0, 'k8', '2024-10-30T23:58:50.427Z')],
    [at(0, 'k7', '2024-10-31T00:58:50.427+01:00'), at(0, 'k6', '2024-10-30T23:58:50Z')],
    [at(0, 'k5', '2024-10-30T23:58:50Z')],
    [],
  ];
  const seen: string[] = [];
  await assert.rejects(
    async () => {
      for await (const { id } of clientOf(...pages).apiKeys.list()) seen.push(id);
    },
    unexpected(/no record to continue from/),
  );
  assert.deepEqual(seen, ['k9', 'k8', 'k7', 'k6', 'k5']);
});

describe('a body', () => {
  const scope = suiteScope();
  const clientOfBody = async (status: number, compressed: Buffer) => {
    const baseUrl = await startAnsweringService(scope, (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(compressed);
    });
    return new KeyrosterClient({ baseUrl, adminKey: 'x', retries: 0 });
  };

  test('that is too large once it is decompressed ends in an error, and is not read on', async () => {
    const huge = gzipSync(' '.repeat(200 * 2 ** 20), { level: 1 });
    for (const status of [200, 400]) {
      const { apiKeys } = await clientOfBody(status, huge);
      const before = process.memoryUsage.rss();
      await assert.rejects(async () => apiKeys.list(), unexpected(/larger than 16 MiB/));
      const grown = (process.memoryUsage.rss() - before) / 2 ** 20;
      assert(grown < 150, `${Math.round(grown)} MiB`);
    }
  });

  test('of 1,000 records of the largest size is read', async () => {
    const name = '\u0001'.repeat(1_000);
    const longest = (letter: string, length = 128) => letter.repeat(length);
    const data = Array.from({ length: 1_000 }, (_, number) => ({
      ...at(50, String(9_999 - number).padStart(128, 'k')),
      name,
      created_by: { id: longest('u'), type: 'service_account' },
      workspace_id: longest('w'),
    }));
    const ids = { first_id: data[0]?.id, last_id: data.at(-1)?.id };
    const { apiKeys } = await clientOfBody(200, gzipSync(JSON.stringify({ data, ...ids, has_more: false })));
    assert.equal((await apiKeys.list({ limit: 1_000 })).data.length, 1_000);
  });

  test('of an error has a message of bounded length', async () => {
    const error = { type: 'api_error', message: 'm'.repeat(60_000) };
    const { apiKeys } = await clientOfBody(400, gzipSync(JSON.stringify({ error })));
    await assert.rejects(
      async () => apiKeys.list(),
      ({ message }: Error) => message.length <= 2_000,
    );
  });
});
