import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type ApiKeyPage, KeyrosterClient, type Retry } from '../../src/client/client.ts';
import { exampleRecord } from '../support/example-record.ts';

/** The page behind a key, of two of many keys. */
function pageAfter(url: string) {
  const after = Number(new URL(url).searchParams.get('after_id')?.slice(1) ?? 0);
  const data = [after + 1, after + 2].map(number => ({
    ...exampleRecord,
    id: `k${number}`,
    created_at: new Date(Date.UTC(2026, 0) - number * 1_000).toISOString(),
  }));
  return Response.json({ data, first_id: data[0]?.id, last_id: data[1]?.id, has_more: after < 10 });
}

type Answer = (url: string, signal: AbortSignal) => Response | Promise<Response>;

/** A client of a service that gives these answers in turn, and pages after them; and the requests so far. */
function clientOf(answers: Readonly<Record<number, Answer>> = {}, retries = 0) {
  const sent: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input);
    sent.push(new URL(url).searchParams.get('after_id') ?? 'first');
    return (answers[sent.length] ?? pageAfter)(url, init?.signal as AbortSignal);
  };
  const client = new KeyrosterClient({ baseUrl: 'http://127.0.0.1', adminKey: 'x', retries, fetch });
  return { apiKeys: client.apiKeys, sent };
}

const refuses: Answer = () => Response.json({ error: { type: 'api_error', message: 'no' } }, { status: 500 });
const limited: Answer = () => {
  const error = { type: 'rate_limit_error', message: 'slow down' };
  return Response.json({ error }, { status: 429, headers: { 'retry-after': '1' } });
};

/** An answer that never comes, and when it is given up. */
function hanging() {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const answer: Answer = (_, signal) =>
    new Promise((_, reject) =>
      signal.addEventListener('abort', () => {
        resolve();
        reject(signal.reason);
      }),
    );
  return { answer, aborted };
}

describe('the page after the second one is asked for ahead', () => {
  test('while the consumer has the one before, and no other one', async () => {
    const { apiKeys, sent } = clientOf();
    const requests: number[] = [];
    const ids: string[] = [];
    for await (const { data } of apiKeys.pages()) {
      await setTimeout(5);
      requests.push(sent.length);
      ids.push(...data.map(({ id }) => id));
    }
    assert.deepEqual(requests, [1, 3, 4, 5, 6, 6]);
    assert.deepEqual(
      ids,
      Array.from({ length: 12 }, (_, index) => `k${index + 1}`),
    );
    assert.deepEqual(sent, ['first', 'k2', 'k4', 'k6', 'k8', 'k10']);
  });

  test('but nothing for whoever takes the first page alone, or records of it', async () => {
    const { apiKeys, sent } = clientOf();
    for await (const _ of apiKeys.pages()) break;
    for await (const _ of apiKeys.list()) break;
    await setTimeout(5);
    assert.deepEqual(sent, ['first', 'first']);
  });

  test('and its error comes to whoever asks for that page, after all pages before it', async () => {
    const { apiKeys } = clientOf({ 3: refuses });
    let pages = 0;
    const walk = async () => {
      for await (const _ of apiKeys.pages({ limit: 2 })) {
        pages += 1;
        await setTimeout(5);
      }
    };
    await assert.rejects(walk, { type: 'api_error', resume: { limit: 2, after_id: 'k4' } });
    assert.equal(pages, 2);
  });

  test('and is given up where the loop ends by itself or by an error, without an error of its own', async () => {
    for (const failure of [undefined, new Error('disk full')]) {
      const { answer, aborted } = hanging();
      const { apiKeys } = clientOf({ 3: answer });
      let pages = 0;
      const walk = async () => {
        for await (const _ of apiKeys.pages()) {
          if (++pages < 2) continue;
          if (failure) throw failure;
          break;
        }
      };
      if (failure) await assert.rejects(walk, failure);
      else await walk();
      await aborted;
    }
  });

  test("also an error that came before the loop ended is nobody's", async () => {
    const { apiKeys } = clientOf({ 3: refuses });
    for await (const { first_id } of apiKeys.pages()) {
      await setTimeout(5);
      if (first_id === 'k3') break;
    }
  });

  test("and ends with the reason of the caller's signal, under way or there already", async () => {
    const { answer } = hanging();
    for (const third of [answer, pageAfter]) {
      const { apiKeys } = clientOf({ 3: third });
      const controller = new AbortController();
      const reason = new Error('enough');
      let pages = 0;
      const walk = async () => {
        for await (const _ of apiKeys.pages({}, { signal: controller.signal })) {
          pages += 1;
          await setTimeout(5);
          if (pages === 2 && third === answer) void setTimeout(5).then(() => controller.abort(reason));
          else if (pages === 2) controller.abort(reason);
        }
      };
      await assert.rejects(walk, reason);
      assert.equal(pages, 2);
    }
  });

  test('and a signal that is aborted while the consumer has the last page ends the walk too', async () => {
    const { apiKeys } = clientOf();
    const controller = new AbortController();
    const walk = async () => {
      for await (const { has_more } of apiKeys.pages({}, { signal: controller.signal }))
        if (!has_more) controller.abort(new Error('enough'));
    };
    await assert.rejects(walk, /enough/);
  });

  test('a page can still be asked for its neighbours when the walk is over', async () => {
    const { apiKeys } = clientOf();
    let last: ApiKeyPage | undefined;
    for await (const page of apiKeys.pages()) {
      last = page;
      if (page.first_id === 'k3') break;
    }
    assert.equal((await last?.nextPage())?.first_id, 'k5');
  });

  test('and is retried when it is wanted, and not before: nobody waits for it', async t => {
    t.mock.method(Math, 'random', () => 0);
    const { apiKeys, sent } = clientOf({ 3: limited, 4: limited }, 2);
    const told: (number | string)[] = [];
    const onRetry = ({ error, waitMs }: Retry) => void told.push(error.type, Math.ceil(waitMs / 500)); // the rest of the second that it had to wait
    for await (const page of apiKeys.pages({}, { onRetry })) {
      told.push(page.first_id as string);
      if (page.first_id === 'k3') await setTimeout(600);
    }
    assert.equal(told.slice(0, 8).join(' '), 'k1 k3 rate_limit_error 1 rate_limit_error 2 k5 k7');
    assert.deepEqual(sent.slice(1, 6), ['k2', 'k4', 'k4', 'k4', 'k6']);
  });
});
