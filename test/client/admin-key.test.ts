import assert from 'node:assert/strict';
import { before, describe, mock, test } from 'node:test';
import { inspect } from 'node:util';
import { InvalidOptionError, KeyrosterClient, type KeyrosterClientOptions } from '../../src/client/client.ts';
import { assertNoTrace } from '../support/canaries.ts';
import { errorOf } from '../support/error-of.ts';
import { exampleRecord } from '../support/example-record.ts';
import { collect, idsOf } from '../support/seeded-service.ts';

const SECRET = 'vendor-admin01-0123456789abcdefghijklmnopqrstuvwxyz';

/** A client that gets these answers in turn, or empty pages after them, and notes the admin key of each request. */
function noting(adminKey: KeyrosterClientOptions['adminKey'], ...answers: readonly Response[]) {
  const sent: (string | null)[] = [];
  const client = new KeyrosterClient({
    baseUrl: 'http://127.0.0.1',
    adminKey,
    fetch: async (_, init) => {
      sent.push(new Headers(init?.headers).get('x-api-key'));
      return answers[sent.length - 1] ?? page(null);
    },
  });
  return { client, sent };
}

const page = (id: string | null, has_more = false) =>
  Response.json({
    data: id === null ? [] : [{ ...exampleRecord, id }],
    first_id: id,
    last_id: id,
    has_more,
  });
const busy = () => new Response('busy', { status: 503 });
const refusal = (message: string, headers = {}) =>
  Response.json({ error: { type: 'authentication_error', message } }, { status: 401, headers });

/** The clients with the same admin key as text, and as what a function gives. */
const bothWays = (...answers: (() => Response)[]) =>
  [SECRET, async () => SECRET].map(key => noting(key, ...answers.map(answer => answer())).client);

before(() => {
  mock.method(Math, 'random', () => 0); // a retry doesn't wait
});

describe('a function that gives the admin key', () => {
  test('is called before each attempt and each page, so that a rotated one is used', async () => {
    let calls = 0;
    const next = () => `key_${++calls}`;
    for (const rotating of [next, async () => next()]) {
      calls = 0;
      const { client, sent } = noting(rotating, busy(), busy(), page('k2', true), busy(), page('k1'));
      const walked = await collect(client.apiKeys.list({ limit: 1 }));
      assert.deepEqual(idsOf(walked), ['k2', 'k1']);
      assert.deepEqual(sent, ['key_1', 'key_2', 'key_3', 'key_4', 'key_5']);
    }
  });

  const failing: readonly (() => unknown)[] = [
    () => thrown(new TypeError(SECRET)),
    async () => thrown(coded('ECONNREFUSED')),
    () => thrown(SECRET),
    () => thrown(Object.assign(new Error(), { name: SECRET })),
    () => thrown(unreadable),
  ];
  const wrong = [() => undefined, () => `${SECRET}\n`, () => ({ SECRET })];
  for (const [number, adminKey] of [...failing, ...wrong].entries())
    test(`that fails, or gives another value, is an admin_key_error, without a request, a retry or the key: ${adminKey}`, async () => {
      const source = mock.fn(adminKey);
      const { client, sent } = noting(source as () => string);
      const error = await errorOf(client.apiKeys.list({ limit: 3 }));
      assert.deepEqual([error.type, error.status, error.resume], ['admin_key_error', null, { limit: 3 }]);
      assert.match(
        error.message,
        number < failing.length ? /: the function failed\. / : /must be an admin key/,
      );
      assertNoTrace([SECRET], printed(error), 'the error');
      assert.deepEqual([sent, source.mock.callCount()], [[], 1]);
    });

  test('has to give it within the timeout of an attempt', async () => {
    const client = new KeyrosterClient({
      baseUrl: 'http://127.0.0.1',
      adminKey: () => new Promise<string>(() => {}),
      timeoutMs: 20,
    });
    const { type, message } = await errorOf(client.apiKeys.list());
    assert.equal(type, 'admin_key_error');
    assert.equal(message, 'adminKey: the function gave no admin key within timeoutMs');
  });

  test('is not waited for when the signal is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const { client, sent } = noting(() => {
      setImmediate(() => controller.abort(reason));
      return new Promise<string>(() => {});
    });
    await assert.rejects(async () => client.apiKeys.list({}, { signal: controller.signal }), reason);
    assert.deepEqual(sent, []);
  });
});

describe('an admin key', () => {
  test('is in no error, whatever the service repeats', async () => {
    const answers = [() => page(SECRET, true), () => refusal(`unknown: ${SECRET}`, { 'request-id': SECRET })];
    for (const client of bothWays(...answers)) {
      const error = await errorOf(collect(client.apiKeys.list()));
      assert.equal(error.message, 'unknown: [admin key]');
      assertNoTrace([SECRET], printed(error), 'the error');
    }
  });

  test('is in no error, whatever fetch throws, also what throws when it is read', async () => {
    const failures = [
      Object.assign(new TypeError(SECRET), { cause: coded(SECRET) }),
      unreadable,
      ...[unreadable, { message: unreadable }].map(cause => Object.assign(new Error('refused'), { cause })),
    ];
    for (const failure of failures) {
      const options = { baseUrl: 'http://127.0.0.1', adminKey: SECRET, retries: 0 };
      const client = new KeyrosterClient({ ...options, fetch: () => Promise.reject(failure) });
      const error = await errorOf(client.apiKeys.list());
      assert.equal(error.type, 'network_error');
      assertNoTrace([SECRET], printed(error), 'the error');
    }
  });

  test('is not in an error in part, where a long message that repeats it is cut off', async () => {
    const { client } = noting(SECRET, refusal(`${'x'.repeat(1_980)} ${SECRET}`));
    const { message } = await errorOf(client.apiKeys.list());
    assert(!message.includes(SECRET.slice(0, 12)), message.slice(-40));
  });

  test('is in no error either when an earlier attempt sent it, or is the start of a later one', async () => {
    const keys = [SECRET, `${SECRET}-and-more`];
    const adminKey = mock.fn(() => keys[adminKey.mock.callCount()] ?? '');
    const { client } = noting(adminKey, busy(), refusal(`unknown: ${keys[0]}, ${keys[1]}`));
    const error = await errorOf(client.apiKeys.list());
    assert.equal(error.message, 'unknown: [admin key], [admin key]');
    assertNoTrace([SECRET], printed(error), 'the error');
  });

  test('is not among the parameters to go on with when the function gave it before, and fails', async () => {
    let calls = 0;
    const { client, sent } = noting(() => (++calls === 1 ? SECRET : thrown(new Error())), page(SECRET, true));
    const error = await errorOf(collect(client.apiKeys.list()));
    assert.deepEqual([error.type, error.resume, sent], ['admin_key_error', null, [SECRET]]);
  });

  test('is not in the printed form of a client, a page or a listing', async () => {
    for (const client of bothWays()) {
      const listing = client.apiKeys.list();
      for (const each of [client, client.apiKeys, listing, await listing])
        assertNoTrace([SECRET], printed(each), 'the printed form');
    }
  });

  test('is refused, without being repeated, when it is not a valid header value', () => {
    const build = () => new KeyrosterClient({ baseUrl: 'http://127.0.0.1', adminKey: `${SECRET}\n` });
    assert.throws(build, (error: Error) => {
      assertNoTrace([SECRET], printed(error), 'the error');
      return error instanceof InvalidOptionError && error.message.startsWith('adminKey: must be');
    });
  });
});

function printed(value: unknown): string {
  const stack = value instanceof Error ? value.stack : '';
  const inspected = inspect(value, { depth: 20, showHidden: true });
  return [String(value), JSON.stringify(value), inspected, stack].join('\n');
}

function thrown(error: unknown): never {
  throw error;
}

/** No field of it can be read, and it is no text. */
const unreadable = Object.defineProperties(
  {},
  Object.fromEntries(
    ['name', 'code', 'cause', 'message', 'toString'].map(field => [
      field,
      { get: () => thrown(new Error(SECRET)) },
    ]),
  ),
);

const coded = (code: string) => Object.assign(new Error(SECRET), { code });
