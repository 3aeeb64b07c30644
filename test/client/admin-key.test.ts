import assert from 'node:assert/strict';
import { before, describe, mock, test } from 'node:test';
import { inspect } from 'node:util';
import {
  type ApiKeyRecord,
  KeyrosterClient,
  type KeyrosterClientOptions,
  KeyrosterError,
} from '../../src/client/client.ts';
import { startAnsweringService } from '../support/answering-service.ts';
import { assertNoTrace } from '../support/canaries.ts';
import { exampleRecord } from '../support/example-record.ts';
import { suiteScope } from '../support/scope.ts';
import { collect, idsOf } from '../support/seeded-service.ts';
import { startStubService } from '../support/stub-service.ts';

const SECRET = 'vendor-admin01-0123456789abcdefghijklmnopqrstuvwxyz';
const empty = { data: [], first_id: null, last_id: null, has_more: false };

/** A client that notes the admin key of each request. The service answers 503 so often first. */
function noting(adminKey: KeyrosterClientOptions['adminKey'], failures = 0, answer: object = empty) {
  const sent: (string | null)[] = [];
  const client = new KeyrosterClient({
    baseUrl: 'http://127.0.0.1',
    adminKey,
    fetch: async (_, init) => {
      sent.push(new Headers(init?.headers).get('x-api-key'));
      return sent.length > failures ? Response.json(answer) : new Response('busy', { status: 503 });
    },
  });
  return { client, sent };
}

describe('an admin key that a function gives', () => {
  const scope = suiteScope();
  before(() => {
    mock.method(Math, 'random', () => 0); // a retry doesn't wait
  });

  test('is asked for before each attempt, so that a rotated one is used', async () => {
    let calls = 0;
    for (const rotating of [() => `key_${++calls}`, async () => `key_${++calls}`]) {
      calls = 0;
      const { client, sent } = noting(rotating, 2);
      assert.equal(calls, 0);
      await client.apiKeys.list();
      await client.apiKeys.list();
      assert.deepEqual(sent, ['key_1', 'key_2', 'key_3', 'key_4']);
    }
  });

  test('is asked for before each page of a walk', async () => {
    const records = ['k5', 'k4', 'k3', 'k2', 'k1'].map(id => ({ ...exampleRecord, id }));
    const baseUrl = await startStubService(scope, records);
    let calls = 0;
    const client = new KeyrosterClient({ baseUrl, adminKey: () => `key_${++calls}` });
    const walked: ApiKeyRecord[] = await collect(client.apiKeys.list({ limit: 2 }));
    assert.deepEqual([idsOf(walked), calls], [idsOf(records), 3]);
  });

  const failing: [what: string, adminKey: () => unknown, message: RegExp][] = [
    ['throws', () => thrown(new TypeError(SECRET)), /^adminKey: the function failed \(TypeError\)\. /],
    [
      'rejects',
      async () => thrown(coded('ECONNREFUSED')),
      /^adminKey: the function failed \(Error, ECONNREFUSED\)\. /,
    ],
    ['throws a text', () => thrown(SECRET), /^adminKey: the function failed\. /],
    ['throws nothing', () => thrown(undefined), /^adminKey: the function failed\. /],
    [
      'throws an error whose name is the key',
      () => thrown(Object.assign(new Error(), { name: SECRET })),
      /^adminKey: the function failed\. /,
    ],
    ['throws what throws when it is read', () => thrown(unreadable), /^adminKey: the function failed\. /],
    ['gives nothing', () => undefined, /^adminKey: what the function returns must be an admin key/],
    ['gives an empty text', () => '', /must be an admin key/],
    ['gives a line too much', () => `${SECRET}\n`, /must be an admin key/],
    ['gives an object', () => ({ SECRET }), /must be an admin key/],
    ['gives another function', () => () => SECRET, /must be an admin key/],
  ];
  for (const [what, adminKey, message] of failing) {
    test(`is an admin_key_error, without a request, a retry or the key, when the function ${what}`, async () => {
      const source = mock.fn(adminKey);
      const { client, sent } = noting(source as () => string);
      const error = await errorOf(client.apiKeys.list({ limit: 3 }));
      assert.deepEqual([error.type, error.status], ['admin_key_error', null]);
      assert.match(error.message, message);
      assert.deepEqual(error.resume, { limit: 3 });
      assertNoTrace([SECRET], printed(error), 'the error');
      assert.deepEqual([sent, source.mock.callCount()], [[], 1]);
    });
  }

  test('has to come within the timeout of an attempt', async () => {
    const client = new KeyrosterClient({
      baseUrl: 'http://127.0.0.1',
      adminKey: () => new Promise<string>(() => {}),
      timeoutMs: 20,
    });
    const error = await errorOf(client.apiKeys.list());
    assert.deepEqual(
      [error.type, error.message],
      ['admin_key_error', 'adminKey: the function gave no admin key within timeoutMs'],
    );
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

  test('is in no error, whatever the service or the runtime repeats', async () => {
    const echo = { error: { type: 'authentication_error', message: `unknown: ${SECRET}` } };
    const listsIt = {
      ...empty,
      data: [{ ...exampleRecord, id: SECRET }],
      first_id: SECRET,
      last_id: SECRET,
      has_more: true,
    };
    const url = await startAnsweringService(scope, ({ url = '' }, response) => {
      const first = !url.includes('after_id');
      response.writeHead(first ? 200 : 401, { 'content-type': 'application/json', 'request-id': SECRET });
      response.end(JSON.stringify(first ? listsIt : echo));
    });
    const refused = Object.assign(new TypeError(SECRET), { cause: coded(SECRET) });
    const options = { baseUrl: url, adminKey: async () => SECRET, retries: 0 };
    const errors = [
      await errorOf(collect(new KeyrosterClient(options).apiKeys.list())),
      await errorOf(new KeyrosterClient({ ...options, fetch: () => Promise.reject(refused) }).apiKeys.list()),
    ];
    assert.deepEqual(
      errors.map(({ type }) => type),
      ['authentication_error', 'network_error'],
    );
    for (const error of errors) assertNoTrace([SECRET], printed(error), 'the error');
  });

  test('is in no error when what fetch throws throws when it is read', async () => {
    for (const cause of [
      unreadable,
      { message: unreadable },
      { message: { toString: () => thrown(new Error(SECRET)) } },
    ])
      for (const failure of [unreadable, Object.assign(new Error('refused'), { cause })]) {
        const options = { baseUrl: 'http://127.0.0.1', adminKey: SECRET, retries: 0 };
        const client = new KeyrosterClient({ ...options, fetch: () => Promise.reject(failure) });
        const error = await errorOf(client.apiKeys.list());
        assert.equal(error.type, 'network_error');
        assertNoTrace([SECRET], printed(error), 'the error');
      }
  });

  test('is in no error either when an earlier attempt sent it, or is the start of a later one', async () => {
    const keys = [SECRET, `${SECRET}-and-more`];
    const adminKey = mock.fn(() => keys[adminKey.mock.callCount()] ?? '');
    const message = `unknown: ${keys[0]}, ${keys[1]}`;
    const client = new KeyrosterClient({
      baseUrl: 'http://127.0.0.1',
      adminKey,
      fetch: async () =>
        adminKey.mock.callCount() === 1
          ? new Response('busy', { status: 503 })
          : Response.json({ error: { type: 'authentication_error', message } }, { status: 401 }),
    });
    const error = await errorOf(client.apiKeys.list());
    assert.equal(error.message, 'unknown: [admin key], [admin key]');
    assertNoTrace([SECRET], printed(error), 'the error');
  });

  test('is not among the parameters to go on with when the function gave it before, and fails', async () => {
    const listed = {
      data: [{ ...exampleRecord, id: SECRET }],
      first_id: SECRET,
      last_id: SECRET,
      has_more: true,
    };
    let calls = 0;
    const { client, sent } = noting(() => (++calls === 1 ? SECRET : thrown(new Error())), 0, listed);
    const error = await errorOf(collect(client.apiKeys.list()));
    assert.deepEqual([error.type, error.resume, sent], ['admin_key_error', null, [SECRET]]);
  });

  test('is not in the printed form of a client, a page or a listing', async () => {
    const { client } = noting(() => SECRET);
    const listing = client.apiKeys.list();
    const page = await listing;
    for (const each of [client, client.apiKeys, listing, page])
      assertNoTrace([SECRET], printed(each), 'the printed form');
  });
});

function printed(value: unknown): string {
  const stack = value instanceof Error ? value.stack : '';
  return [String(value), JSON.stringify(value), inspect(value, { depth: 20, showHidden: true }), stack].join(
    '\n',
  );
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

async function errorOf(request: PromiseLike<unknown>): Promise<KeyrosterError> {
  try {
    await request;
  } catch (error) {
    assert(error instanceof KeyrosterError, String(error));
    return error;
  }
  throw new Error('the request did not fail');
}
