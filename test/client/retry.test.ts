import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyrosterClient } from '../../src/client/client.ts';
import { KeyrosterError } from '../../src/client/errors.ts';
import { waitMs } from '../../src/client/retry.ts';

const empty = { data: [], first_id: null, last_id: null, has_more: false };
const error = {
  type: 'error',
  error: { type: 'rate_limit_error', message: 'slow down' },
  request_id: 'req_1',
};

/** A client whose service first answers 429 with this `retry-after`, and then an empty page. */
function limitedOnce(retryAfter: string) {
  const moments: number[] = [];
  const answers = [Response.json(error, { status: 429, headers: { 'retry-after': retryAfter } })];
  const client = new KeyrosterClient({
    baseUrl: 'http://127.0.0.1',
    adminKey: 'k',
    fetch: async () => {
      moments.push(Date.now());
      return answers.shift() ?? Response.json(empty);
    },
  });
  return { client, moments };
}

test('a retry waits for the seconds in retry-after, or until the date in it', async t => {
  t.mock.method(Math, 'random', () => 0);
  const inSeconds = limitedOnce('1');
  await inSeconds.client.apiKeys.list();
  const [first = 0, second = 0] = inSeconds.moments;
  assert(second - first >= 990, `${second - first} ms`);

  const time = new Date(Date.now() + 2_000).toUTCString();
  const untilTime = limitedOnce(time);
  await untilTime.client.apiKeys.list();
  const [, retried = 0] = untilTime.moments;
  assert(retried >= Date.parse(time) - 10, `${Date.parse(time) - retried} ms too early`);
});

test('a retry-after of more than a minute is an error instead of a retry', async () => {
  const { client, moments } = limitedOnce('3600');
  await assert.rejects(client.apiKeys.list(), {
    type: 'rate_limit_error',
    retryAfterSeconds: 3600,
    status: 429,
  });
  assert.equal(moments.length, 1);
});

test('an abort ends the wait for a retry', async () => {
  const { client, moments } = limitedOnce('60');
  const reason = new Error('enough');
  const controller = new AbortController();
  const page = client.apiKeys.list({}, { signal: controller.signal }).then();
  while (moments.length === 0) await new Promise(setImmediate);
  setImmediate(() => controller.abort(reason));
  await assert.rejects(page, reason);
  assert.equal(moments.length, 1);
});

test('the max wait doubles up to a limit, a wait is random below it, and retry-after is added', t => {
  const failure = (retryAfterSeconds: number | null) =>
    new KeyrosterError({ type: 'network_error', message: '', retryAfterSeconds });
  const { mock } = t.mock.method(Math, 'random', () => 1);
  const longest = [0, 1, 2, 5, 20].map(retry => waitMs(retry, failure(null)));
  assert.deepEqual(longest, [250, 500, 1000, 8000, 8000]);
  assert.equal(waitMs(0, failure(5)), 5250);
  mock.mockImplementation(() => 0);
  assert.equal(waitMs(20, failure(null)), 0);
  assert.equal(waitMs(20, failure(5)), 5000);
});
