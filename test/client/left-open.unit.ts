import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KeyrosterClient, type KeyrosterClientOptions } from '../../src/client/client.ts';
import { startAnsweringService } from '../support/answering-service.ts';
import { errorOf } from '../support/error-of.ts';

type Fetch = NonNullable<KeyrosterClientOptions['fetch']>;

/** A body that never ends, and a promise of its cancellation. */
function endless() {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    start: controller => controller.enqueue(new TextEncoder().encode('{')),
    cancel: () => resolve(),
  });
  return { body, cancelled };
}

const listing = (fetch: Fetch, signal?: AbortSignal) =>
  new KeyrosterClient({
    baseUrl: 'http://127.0.0.1',
    adminKey: 'k',
    timeoutMs: 20,
    retries: 0,
    fetch,
  }).apiKeys.list({}, { signal });

describe('an attempt that fails leaves no answer open, also with a fetch that ignores its signal', () => {
  test('where a service sends a redirect whose body never ends: the connection is closed', async t => {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    const baseUrl = await startAnsweringService(t, (_, response) => {
      response.on('close', resolve);
      response.writeHead(307, { location: '/' }).write('on and on');
    });
    const client = new KeyrosterClient({ baseUrl, adminKey: 'k' });
    assert.equal((await errorOf(client.apiKeys.list())).type, 'unexpected_answer_error');
    await left;
  });

  test('where the body does not end within timeoutMs', async () => {
    const { body, cancelled } = endless();
    assert.equal((await errorOf(listing(async () => new Response(body)))).type, 'timeout_error');
    await cancelled;
  });

  test('where there is no answer within timeoutMs, and one comes later', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    assert.equal((await errorOf(listing(() => promise))).type, 'timeout_error');
    const { body, cancelled } = endless();
    resolve(new Response(body));
    await cancelled;
  });

  test('where the signal of the caller is aborted', async () => {
    const { body, cancelled } = endless();
    const controller = new AbortController();
    const reason = new Error('enough');
    const answer: Fetch = async () => {
      setImmediate(() => controller.abort(reason));
      return new Response(body);
    };
    await assert.rejects(async () => listing(answer, controller.signal), reason);
    await cancelled;
  });
});
