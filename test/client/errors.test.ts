import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import {
  type ApiKeyPage,
  InvalidOptionError,
  KeyrosterClient,
  KeyrosterError,
} from '../../src/client/client.ts';
import { startAnsweringService } from '../support/answering-service.ts';
import { assertNoTrace } from '../support/canaries.ts';
import { exampleRecord } from '../support/example-record.ts';
import { suiteScope } from '../support/scope.ts';
import { collect, numberedKeys, type SeededService, startSeededService } from '../support/seeded-service.ts';

const SECRET = 'vendor-admin01-0123456789abcdefghijklmnopqrstuvwxyz';

describe('an error of the service', () => {
  const scope = suiteScope();
  let listed: SeededService;
  before(async () => {
    listed = await startSeededService(scope, numberedKeys(3));
  });

  test('has the type, status, message and request ID of the answer', async () => {
    const error = await errorOf(() => listed.client().apiKeys.list({ limit: 0, after_id: 'a b' }));
    assert.deepEqual(
      [error.type, error.status, error.name],
      ['invalid_request_error', 400, 'KeyrosterError'],
    );
    assert.match(error.message, /^limit: must be .*; after_id: must be/);
    assert.match(String(error.requestId), /^req_[0-9a-f]{32}$/);
    const unknown = await errorOf(() => listed.client({ adminKey: SECRET }).apiKeys.list());
    assert.deepEqual([unknown.type, unknown.status], ['authentication_error', 401]);
    const path = await errorOf(() => listed.client({ baseUrl: `${listed.service.url}/x` }).apiKeys.list());
    assert.deepEqual([path.type, path.status], ['not_found_error', 404]);
    const version = await errorOf(() => listed.client({ version: '2020-01-01' }).apiKeys.list());
    assert.match(version.message, /supported: 2023-06-01/);
  });

  test("is not retried when it is the caller's mistake", async () => {
    let requests = 0;
    const counting: typeof fetch = (...args) => {
      requests += 1;
      return fetch(...args);
    };
    await errorOf(() => listed.client({ fetch: counting }).apiKeys.list({ limit: 0 }));
    assert.equal(requests, 1);
  });

  test('is a network_error with its reason when nothing listens', async () => {
    const error = await errorOf(() =>
      listed.client({ baseUrl: 'http://127.0.0.1:1', retries: 0 }).apiKeys.list(),
    );
    assert.deepEqual([error.type, error.status, error.requestId], ['network_error', null, null]);
    assert.match(error.message, /http:\/\/127\.0\.0\.1:1: \w/);
  });
});

describe('an answer that is not a page', () => {
  const page = {
    data: [exampleRecord],
    first_id: exampleRecord.id,
    last_id: exampleRecord.id,
    has_more: false,
  };
  const other = { ...exampleRecord, id: 'k2' };
  const wrong: [message: RegExp, body: unknown][] = [
    [/an object/, [page]],
    [/data must be an array/, { ...page, data: undefined }],
    [/must have an id/, { ...page, data: [{ ...exampleRecord, id: undefined }] }],
    [/must have an id/, { ...page, data: [null] }],
    [/has_more must be/, { ...page, has_more: 'no' }],
    [/first_id must be/, { ...page, first_id: null }],
    [/last_id must be/, { ...page, last_id: 'k2' }],
    [/no record to continue from/, { data: [], first_id: null, last_id: null, has_more: true }],
    [/more records than the limit/, { ...page, data: [exampleRecord, other], last_id: 'k2' }],
    [/a duplicate record/, { ...page, data: [exampleRecord, exampleRecord] }],
  ];
  for (const [message, body] of wrong) {
    test(`is an unexpected_answer_error: ${message.source}`, async () => {
      const limit = message.source.startsWith('a duplicate record') ? 2 : 1;
      const error = await errorOf(() => clientOf(Response.json(body)).apiKeys.list({ limit }));
      assert.deepEqual([error.type, error.status], ['unexpected_answer_error', 200]);
      assert.match(error.message, message);
    });
  }

  test('is an error when the service ignores the cursor', async () => {
    const always = () => clientOf(Response.json({ ...page, has_more: true }));
    const error = await errorOf(() => always().apiKeys.list({ after_id: exampleRecord.id }));
    assert.match(error.message, /the record that the cursor names/);
  });

  test('is a redirect, which the client does not follow, or text that is not JSON', async () => {
    const redirect = new Response(null, { status: 307, headers: { location: 'https://example.com/' } });
    const moved = await errorOf(() => clientOf(redirect).apiKeys.list());
    assert.deepEqual([moved.type, moved.status], ['unexpected_answer_error', 307]);
    const html = new Response('<html>', { headers: { 'content-type': 'text/html' } });
    assert.match(
      (await errorOf(() => clientOf(html).apiKeys.list())).message,
      /not JSON: is this the base URL/,
    );
  });

  test('is a redirect, and the service that it leads to gets no request and so no admin key', async t => {
    let reached = 0;
    const other = await startAnsweringService(t, (_, response) => {
      reached += 1;
      response.end();
    });
    const baseUrl = await startAnsweringService(t, ({ url }, response) => {
      response.writeHead(308, { location: new URL(String(url), other).href }).end();
    });
    const client = new KeyrosterClient({ baseUrl, adminKey: SECRET });
    assert.equal((await errorOf(() => client.apiKeys.list())).status, 308);
    assert.equal(reached, 0);
  });

  test('is an error in another format, whose message is passed on', async () => {
    const body = { error: { type: 'permission_error', message: 'not for you' } };
    const error = await errorOf(() => clientOf(Response.json(body, { status: 403 })).apiKeys.list());
    assert.deepEqual([error.type, error.status], ['unexpected_answer_error', 403]);
    assert.match(error.message, /403: not for you/);
  });
});

describe('the admin key', () => {
  const printed = (value: unknown) =>
    [String(value), JSON.stringify(value), inspect(value, { depth: 20, showHidden: true })].join('\n');

  test('is not in an error, even where the service or the runtime repeats it', async () => {
    const echo = { error: { type: 'authentication_error', message: `unknown: ${SECRET}` } };
    const headers = { 'request-id': SECRET };
    const throwing = () => Promise.reject(new TypeError('fetch failed', { cause: new Error(SECRET) }));
    const errors = [
      await errorOf(() => clientOf(Response.json(echo, { status: 401, headers })).apiKeys.list()),
      await errorOf(() => clientOf(throwing).apiKeys.list()),
    ];
    for (const error of errors) {
      assertNoTrace([SECRET], printed(error) + error.stack, 'the error');
      assert.match(error.message, /\[admin key\]/);
    }
  });

  test('is not in an error in part, where a long message that repeats it is cut off', async () => {
    const message = `${'x'.repeat(1_980)} ${SECRET}`;
    const answer = Response.json({ error: { type: 'api_error', message } }, { status: 400 });
    const error = await errorOf(() => clientOf(answer).apiKeys.list());
    assert(!error.message.includes(SECRET.slice(0, 12)), error.message.slice(-40));
  });

  test('is not in the printed form of a client, a page or a listing', async () => {
    const empty = { data: [], first_id: null, last_id: null, has_more: false };
    const client = clientOf(Response.json(empty));
    const listing = client.apiKeys.list();
    const page: ApiKeyPage = await listing;
    for (const each of [client, client.apiKeys, listing, page])
      assertNoTrace([SECRET], printed(each), 'the printed form');
  });

  test('is refused, without being repeated, when it is not a valid header value', () => {
    const build = () => new KeyrosterClient({ baseUrl: 'http://127.0.0.1', adminKey: `${SECRET}\n` });
    assert.throws(build, (error: Error) => {
      assertNoTrace([SECRET], printed(error) + error.stack, 'the error');
      return error instanceof InvalidOptionError && error.message.startsWith('adminKey: must be');
    });
  });
});

test('an invalid option is refused with a TypeError that names it', () => {
  const right = { baseUrl: 'http://127.0.0.1', adminKey: 'k' };
  const wrong: Record<string, object> = {
    baseUrl: { baseUrl: 'ftp://example.com' },
    'baseUrl: ': { baseUrl: 'https://user:password@example.com' },
    'baseUrl: must': { baseUrl: 'https://example.com?x=1' },
    vendor: { vendor: 'A b' },
    version: { version: '' },
    timeoutMs: { timeoutMs: 0 },
    retries: { retries: -1 },
  };
  for (const [start, options] of Object.entries(wrong))
    assert.throws(
      () => new KeyrosterClient({ ...right, ...options }),
      (error: Error) =>
        error instanceof TypeError &&
        error instanceof InvalidOptionError &&
        error.message === `${error.option}: ${error.rule}` &&
        error.message.startsWith(start) &&
        !/password/.test(error.message),
    );
});

describe('an unknown option is refused by its name, since its default would be used silently', () => {
  const right = { baseUrl: 'http://127.0.0.1', adminKey: 'k' };
  const build = (options: object) => () => new KeyrosterClient({ ...right, ...options });
  const refusal = (option: string, known: string) => ({
    name: 'InvalidOptionError',
    option,
    rule: `unknown option; the options are ${known}`,
    message: `${option}: unknown option; the options are ${known}`,
  });

  test('of the client', () => {
    const known = 'baseUrl, adminKey, vendor, version, timeoutMs, retries, fetch';
    assert.throws(build({ timeout: 1_000 }), refusal('timeout', known));
    assert.throws(build({ toString: 'x' }), refusal('toString', known));
    build({ timeout: undefined })();
  });

  test('of a list', async () => {
    const { apiKeys } = clientOf(async () => assert.fail('a request was sent'));
    const misspelt: object = { singal: AbortSignal.abort() };
    await assert.rejects(async () => apiKeys.list({}, misspelt), refusal('singal', 'signal, onRetry'));
    await assert.rejects(() => collect(apiKeys.list({}, misspelt)), refusal('singal', 'signal, onRetry'));
    await assert.rejects(() => collect(apiKeys.pages({}, misspelt)), refusal('singal', 'signal, onRetry'));
  });

  test('unless the name may be a secret', () => {
    assert.throws(build({ [SECRET]: 1 }), { option: '(unprintable)' });
  });
});

/** A client whose `fetch` gives this answer, or calls this function. */
function clientOf(answer: Response | (() => Promise<Response>)): KeyrosterClient {
  const answering = typeof answer === 'function' ? answer : async () => answer;
  return new KeyrosterClient({ baseUrl: 'http://127.0.0.1', adminKey: SECRET, retries: 0, fetch: answering });
}

async function errorOf(request: () => PromiseLike<unknown>): Promise<KeyrosterError> {
  try {
    await request();
  } catch (error) {
    assert(error instanceof KeyrosterError, String(error));
    return error;
  }
  throw new Error('the request did not fail');
}
