import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KeyrosterClient, type KeyrosterClientOptions, KeyrosterError } from '../../src/client/client.ts';
import { startAnsweringService } from '../support/answering-service.ts';

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

async function errorOf(fetch: Fetch, signal?: AbortSignal): Promise<unknown> {
  const client = new KeyrosterClient({
    baseUrl: 'http://127.0.0.1',
    adminKey: 'k',
    timeoutMs: 20,
    retries: 0,
    fetch,
  });
  return client.apiKeys.list({}, { signal }).catch((error: unknown) => error);
}

function assertType(error: unknown, type: string): void {
  assert.ok(error instanceof KeyrosterError, String(error));
  assert.equal(error.type, type);
}

describe('an attempt that fails leaves no answer open, also with a fetch that ignores its signal', () => {
  test('where a service sends a redirect whose body never ends: the connection is closed', async t => {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    const baseUrl = await startAnsweringService(t, (_, response) => {
      response.on('close', resolve);
      response.writeHead(307, { location: '/' }).write('on and on');
    });
    const client = new KeyrosterClient({ baseUrl, adminKey: 'k' });
    assertType(await client.apiKeys.list().catch((error: unknown) => error), 'unexpected_answer_error');
    await left;
  });

  test('where the body does not end within timeoutMs', async () => {
    const { body, cancelled } = endless();
    assertType(await errorOf(async () => new Response(body)), 'timeout_error');
    await cancelled;
  });

  test('where there is no answer within timeoutMs, and one comes later', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    assertType(await errorOf(() => promise), 'timeout_error');
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
    assert.equal(await errorOf(answer, controller.signal), reason);
    await cancelled;
  });
});
