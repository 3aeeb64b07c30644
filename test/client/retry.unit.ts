import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
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
function limitedOnce(retryAfter: string, status = 429) {
  const moments: number[] = [];
  const answers = [Response.json(error, { status, headers: { 'retry-after': retryAfter } })];
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

/** How long the client waits before it tries again, in milliseconds, by a clock that starts at this time and is set by hand. */
async function waitOf(t: TestContext, start: number, retryAfter: string, status?: number): Promise<number> {
  const { mock: random } = t.mock.method(Math, 'random', () => 0);
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: start });
  const { client, moments } = limitedOnce(retryAfter, status);
  const page = client.apiKeys.list().then();
  // Until the wait begins, which is random too.
  for (let turn = 0; random.callCount() === 0 && turn < 1_000; turn++) await new Promise(setImmediate);
  for (let ms = 0; moments.length === 1 && ms < 10_000; ms++) {
    t.mock.timers.tick(1);
    await new Promise(setImmediate);
  }
  await page;
  t.mock.reset();
  return Number(moments[1]) - start;
}

test('a retry waits for the seconds in retry-after', async t => {
  for (const status of [429, 502, 503, 504]) assert.equal(await waitOf(t, 0, '1', status), 1_000);
});

test('a retry waits until the date in retry-after, which has no fraction of a second, and less than a second longer', async t => {
  for (const fraction of [0, 1, 427, 999]) {
    const start = Date.UTC(2026, 10, 22) + fraction;
    const date = new Date(start + 2_000).toUTCString();
    const retried = start + (await waitOf(t, start, date));
    assert(retried >= Date.parse(date) && retried < Date.parse(date) + 1_000, `${fraction}: ${retried}`);
  }
});

test('a retry-after of more than a minute is an error instead of a retry', async () => {
  for (const [text, retryAfterSeconds] of [
    ['3600', 3600],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ] as const) {
    const { client, moments } = limitedOnce(text);
    const error = { type: 'rate_limit_error', retryAfterSeconds, status: 429 };
    await assert.rejects(client.apiKeys.list(), error);
    assert.equal(moments.length, 1);
  }
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
