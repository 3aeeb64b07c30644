import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { InvalidOptionError, KeyrosterClient } from '../../src/client/client.ts';
import { startAnsweringService } from '../support/answering-service.ts';
import { errorOf } from '../support/error-of.ts';
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
    const error = await errorOf(listed.client().apiKeys.list({ limit: 0, after_id: 'a b' }));
    assert.deepEqual(
      [error.type, error.status, error.name],
      ['invalid_request_error', 400, 'KeyrosterError'],
    );
    assert.match(error.message, /^limit: must be .*; after_id: must be/);
    assert.match(String(error.requestId), /^req_[0-9a-f]{32}$/);
    const unknown = await errorOf(listed.client({ adminKey: SECRET }).apiKeys.list());
    assert.deepEqual([unknown.type, unknown.status], ['authentication_error', 401]);
    const path = await errorOf(listed.client({ baseUrl: `${listed.service.url}/x` }).apiKeys.list());
    assert.deepEqual([path.type, path.status], ['not_found_error', 404]);
    const version = await errorOf(listed.client({ version: '2020-01-01' }).apiKeys.list());
    assert.match(version.message, /supported: 2023-06-01/);
  });

  test("is not retried when it is the caller's mistake, nor at a port that fetch refuses", async () => {
    const onRetry = () => assert.fail('it was retried');
    await errorOf(listed.client().apiKeys.list({ limit: 0 }, { onRetry }));
    const error = await errorOf(
      listed.client({ baseUrl: 'http://127.0.0.1:1' }).apiKeys.list({}, { onRetry }),
    );
    assert.deepEqual([error.type, error.status, error.requestId], ['network_error', null, null]);
    assert.match(
      error.message,
      /http:\/\/127\.0\.0\.1:1: bad port: fetch refuses this port: fix the base URL$/,
    );
  });
});

describe('an answer that is not a page', () => {
  const page = {
    data: [exampleRecord],
    first_id: exampleRecord.id,
    last_id: exampleRecord.id,
    has_more: false,
  };
  const wrong: [message: RegExp, body: unknown][] = [
    [/an object/, [page]],
    [/data must be an array/, { ...page, data: undefined }],
    [/must have an id/, { ...page, data: [{ ...exampleRecord, id: undefined }] }],
    [/must have an id/, { ...page, data: [null] }],
    [/has_more must be/, { ...page, has_more: 'no' }],
    [/first_id must be/, { ...page, first_id: 'k2' }],
    [/last_id must be/, { ...page, last_id: 'k2' }],
    [/no record to continue from/, { data: [], first_id: null, last_id: null, has_more: true }],
  ];
  for (const [message, body] of wrong) {
    test(`is an unexpected_answer_error: ${message.source}`, async () => {
      const error = await errorOf(clientOf(Response.json(body)).apiKeys.list({ limit: 1 }));
      assert.deepEqual(
        [error.type, error.status, error.resume],
        ['unexpected_answer_error', 200, { limit: 1 }],
      );
      assert.match(error.message, message);
    });
  }

  test('is an error when the service ignores the cursor', async () => {
    const { apiKeys } = clientOf(Response.json({ ...page, has_more: true }));
    const error = await errorOf(apiKeys.list({ after_id: exampleRecord.id }));
    assert.match(error.message, /all of its records came before/);
  });

  test('is text that is not JSON', async () => {
    const html = new Response('<html>', { headers: { 'content-type': 'text/html' } });
    const { message } = await errorOf(clientOf(html).apiKeys.list());
    assert.match(message, /not JSON: is this the base URL/);
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
    const error = await errorOf(new KeyrosterClient({ baseUrl, adminKey: SECRET }).apiKeys.list());
    assert.deepEqual([error.type, error.status, reached], ['unexpected_answer_error', 308, 0]);
  });

  test('is an error without a message of the service, which asks whether it is the service', async () => {
    for (const [body, says] of [
      ['<html>', 'no error message in the body'],
      ['{"detail":"Not Found"}', 'Not Found'],
      ['no such route\nat all', 'no such route'],
    ] as const) {
      const headers = { 'content-type': body.startsWith('{') ? 'application/json' : 'text/plain' };
      const error = await errorOf(clientOf(new Response(body, { status: 404, headers })).apiKeys.list());
      const advice = 'is this the base URL of the service?';
      assert.equal(error.message, `the service answered 404: ${says}: ${advice}`);
    }
  });

  test('is an error in another format, whose message is passed on', async () => {
    const said = 'not for you';
    for (const body of [
      { error: { type: 'permission_error', message: said } },
      { message: said, error: 'Forbidden' },
      { error: said },
      { title: 'Forbidden', detail: said },
      { detail: [{ loc: ['query'], msg: said }] },
      { errors: [{ message: said }] },
    ]) {
      const headers = { 'content-type': 'application/problem+json', 'retry-after': '7' };
      const answer = new Response(JSON.stringify(body), { status: 403, headers });
      const error = await errorOf(clientOf(answer).apiKeys.list());
      assert.deepEqual(
        [error.type, error.status, error.retryAfterSeconds, error.message],
        ['unexpected_answer_error', 403, 7, 'the service answered 403: not for you'],
      );
    }
  });
});

test('an invalid option is refused with a TypeError that names it', () => {
  const right = { baseUrl: 'http://127.0.0.1', adminKey: 'k' };
  const baseUrls = ['127.0.0.1:8080', 'ftp://example.com', 'https://user:password@example.com'];
  const wrong: [start: string, options: object][] = [
    ...baseUrls.map((baseUrl): [string, object] => ['baseUrl: must be an http or https URL', { baseUrl }]),
    ['baseUrl: leave out', { baseUrl: 'https://example.com/x/v1/organizations/api_keys/' }],
    ['vendor: ', { vendor: 'A b' }],
    ['version: ', { version: '' }],
    ['timeoutMs: ', { timeoutMs: 0 }],
    ['retries: ', { retries: -1 }],
  ];
  for (const [start, options] of wrong)
    assert.throws(
      () => new KeyrosterClient({ ...right, ...options }),
      (error: Error) =>
        error instanceof InvalidOptionError &&
        error.message.startsWith(start) &&
        !/password/.test(error.message),
    );
});

test('an unknown option is refused by its name, since its default would be used silently', async () => {
  const build = (options: object) =>
    new KeyrosterClient({ baseUrl: 'http://127.0.0.1', adminKey: 'k', ...options });
  const refusal = (option: string, known: string) => ({
    name: 'InvalidOptionError',
    ...{ option, rule: `unknown option; the options are ${known}` },
  });
  const known = 'baseUrl, adminKey, vendor, version, timeoutMs, retries, fetch';
  for (const name of ['timeout', 'toString'])
    assert.throws(() => build({ [name]: 1_000 }), refusal(name, known));
  assert.throws(() => build({ [SECRET]: 1 }), { option: '(unprintable)' });
  const { apiKeys } = build({ timeout: undefined, fetch: () => assert.fail('a request was sent') });
  const misspelt: object = { singal: AbortSignal.abort() };
  const ofList = refusal('singal', 'signal, onRetry');
  await assert.rejects(async () => apiKeys.list({}, misspelt), ofList);
  await assert.rejects(() => collect(apiKeys.pages({}, misspelt)), ofList);
});

/** A client whose `fetch` gives this answer. */
function clientOf(answer: Response): KeyrosterClient {
  const answering = async () => answer;
  return new KeyrosterClient({ baseUrl: 'http://127.0.0.1', adminKey: SECRET, retries: 0, fetch: answering });
}
