/** What the servers of examples/servers have to do, whatever framework they are made with. */
import assert from 'node:assert/strict';
import { type RequestOptions, request } from 'node:http';
import { KeyrosterClient } from '../../src/client/client.ts';
import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';
import type { Framework } from './frameworks.ts';
import type { Sent } from './http.ts';
import { answerTo, type RawAnswer } from './keep-alive-client.ts';
import { retryOverloaded } from './retry-overloaded.ts';
import { collect, idsOf } from './seeded-service.ts';
import type { Tenant } from './service-process.ts';

const ORIGIN = 'https://example.com';

/** Where a request is sent, and the admin key that it has unless it says otherwise. */
interface Target {
  readonly port: number;
  readonly basePath: string;
  readonly secret: string;
}

export interface RunningApp extends Target, Framework {
  /** The secret is that of the first. */
  readonly tenants: readonly [Tenant, Tenant];
  /** Of `serve` over the same store, whose answers the app has to give. */
  readonly servedPort: number;
}

/** Requests, and the status that `serve` answers each with. */
const requests: readonly (readonly [status: number, what: string, sent: Sent])[] = [
  [200, 'a page', { query: 'limit=3' }],
  [200, 'the next page', { query: 'limit=3&after_id=apikey_50' }],
  [200, 'a page with parameters', { query: 'limit=1000&status=active&created_by_user_id=user_1' }],
  [200, 'HEAD of a page', { method: 'HEAD', query: 'limit=3' }],
  [400, 'a wrong filter', { query: 'status=open' }],
  [400, 'HEAD with a wrong parameter', { method: 'HEAD', query: 'limit=0' }],
  [400, 'a GET with a body', { headers: { 'content-length': '2' }, body: '{}' }],
  [401, 'no admin key', { headers: { 'x-api-key': undefined } }],
  [401, 'a wrong admin key', { headers: { 'x-api-key': 'x', accept: 'text/html' } }],
  ...['POST', 'DELETE'].map(method => [405, method, { method }] as const),
  [
    405,
    'POST of broken JSON',
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' },
  ],
  [405, 'POST of a form', { method: 'POST', headers: { 'content-type': ';;;' }, body: 'a=b' }],
];

const requestsOfOtherPaths: typeof requests = [
  [404, 'a path beside', { path: '/nothing', headers: { accept: 'text/html' } }],
  [404, 'a path below', { path: `${LIST_API_KEYS_PATH}/apikey_1` }],
];

const expectationsOfCors: readonly Expectation[] = [
  ['answers have the CORS headers of the framework, errors too', hasCors],
  ['a preflight is answered by the framework', answersPreflight],
];

/** What varies from answer to answer, and what is the connection's. */
const VARYING = ['request-id', 'date', 'connection', 'keep-alive'];

type Expectation = readonly [what: string, check: (app: RunningApp) => Promise<void>];

const comparison = ([status, what, sent]: (typeof requests)[number]): Expectation => [
  `${what} gets the ${status} of serve`,
  app => comparesWithServe(app, status, sent),
];

export const expectationsOf = ({ leaves = [] }: Framework): readonly Expectation[] => [
  ...requests.map(comparison),
  ['the client walks all pages, both ways', walks],
  ['two organizations are never mixed', keepsApart],
  ['clients that leave do no harm', survivesAborts],
  ['a page is compressed once, as the client likes it, and is the same when decompressed', compresses],
  ...(leaves.includes('other paths') ? [] : requestsOfOtherPaths.map(comparison)),
  ...(leaves.includes('CORS') ? [] : expectationsOfCors),
];

async function comparesWithServe(app: RunningApp, status: number, sent: Sent): Promise<void> {
  const answered = await send(app, sent);
  const expected = await send(serveOf(app), sent);
  assert.equal(expected.status, status);
  assert.equal(answered.status, status);
  assert.equal(withoutId(answered), withoutId(expected));
  for (const [name, value] of Object.entries(expected.headers))
    if (![...VARYING, ...(app.ownHeaders ?? [])].includes(name))
      assert.equal(answered.headers[name], value, name);
}

const serveOf = (app: RunningApp): Target => ({ ...app, port: app.servedPort });

const withoutId = ({ body, headers }: RawAnswer) => body.replace(String(headers['request-id']), '');

async function hasCors(app: RunningApp): Promise<void> {
  const sent: Sent[] = [{}, { query: 'limit=0' }, { headers: { 'x-api-key': 'x' } }, { method: 'POST' }];
  for (const each of [...sent, { path: '/nothing' }]) {
    const { headers } = await send(app, { ...each, headers: { ...each.headers, origin: ORIGIN } });
    assert.match(headers['access-control-allow-origin'] ?? '', /^(\*|https:\/\/example\.com)$/);
  }
}

async function answersPreflight(app: RunningApp): Promise<void> {
  const answer = await fetch(urlOf(app), {
    method: 'OPTIONS',
    headers: {
      origin: ORIGIN,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-api-key,vendor-version',
    },
  });
  assert.equal(answer.status, 204);
  assert.match(String(answer.headers.get('access-control-allow-headers')), /x-api-key, ?vendor-version/);
  assert.match(String(answer.headers.get('access-control-allow-methods')), /GET/);
}

async function compresses(app: RunningApp): Promise<void> {
  const query = 'limit=1000';
  const expected = await send(serveOf(app), { query });
  for (const coding of ['gzip', 'br', 'identity']) {
    const headers = { 'x-api-key': app.secret, 'vendor-version': '2023-06-01', 'accept-encoding': coding };
    const answer = await fetch(`${urlOf(app)}?${query}`, { headers });
    assert.equal(
      answer.headers.get('content-encoding'),
      app.codings.includes(coding) ? coding : null,
      coding,
    );
    const varies = answer.headers.get('vary')?.match(/accept-encoding/gi)?.length;
    assert.equal(varies, app.codings === 'none' ? undefined : 1, coding);
    assert.equal(await answer.text(), expected.body, coding); // fetch has checked the length and decompressed it once
  }
}

async function walks(app: RunningApp): Promise<void> {
  for (const { secret } of app.tenants) {
    const baseUrl = `http://127.0.0.1:${app.port}${app.basePath}`;
    const { apiKeys } = new KeyrosterClient({ baseUrl, adminKey: secret, retries: 0 });
    const { body } = await send({ ...serveOf(app), secret }, { query: 'limit=1000' });
    const expected = idsOf(JSON.parse(body).data);
    assert.deepEqual(idsOf(await collect(apiKeys.list({ limit: 7 }))), expected);
    const [last] = expected.slice(-1) as [string];
    const back = idsOf(await collect(apiKeys.list({ limit: 7, before_id: last })));
    assert.deepEqual(back, expected.slice(0, -1).reverse());
  }
}

async function keepsApart(app: RunningApp): Promise<void> {
  const ask = async ({ secret, organization }: Tenant) => {
    const headers = { 'x-api-key': secret, 'vendor-version': '2023-06-01' };
    const { status, body, answer } = await retryOverloaded(async () => {
      const answer = await fetch(`${urlOf(app)}?limit=1000`, { headers });
      return { status: answer.status, body: await answer.json(), answer };
    });
    assert.equal(status, 200, JSON.stringify(body));
    const { data } = body as { data: { name: string }[] };
    assert.equal(answer.headers.get('vendor-organization-id'), organization);
    assert.ok(data.length > 0);
    for (const { name } of data) assert.equal(name, `of ${organization}`);
  };
  await Promise.all(Array.from({ length: 60 }, (_, number) => ask(app.tenants[number % 2] as Tenant)));
}

async function survivesAborts(app: RunningApp): Promise<void> {
  const leave = (wait: number) =>
    new Promise<void>(resolve => {
      const sent = request(requestOf(app, { query: 'limit=1000' }), answer => answer.resume());
      sent.on('error', () => {}).on('close', () => resolve());
      sent.end();
      setTimeout(() => sent.destroy(), wait);
    });
  await Promise.all(Array.from({ length: 40 }, (_, number) => leave(number % 5)));
  const { status, body } = await send(app);
  assert.equal(status, 200, body);
}

export const send = (target: Target, sent: Sent = {}): Promise<RawAnswer> =>
  answerTo(requestOf(target, sent), sent.body);

function requestOf({ port, basePath, secret }: Target, sent: Sent): RequestOptions {
  const { method = 'GET', path = LIST_API_KEYS_PATH, query } = sent;
  const all = { 'x-api-key': secret, 'vendor-version': '2023-06-01', ...sent.headers };
  const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const target = `${basePath}${path}${query === undefined ? '' : `?${query}`}`;
  return { host: '127.0.0.1', port, agent: false, method, path: target, headers };
}

const urlOf = ({ port, basePath }: Target) => `http://127.0.0.1:${port}${basePath}${LIST_API_KEYS_PATH}`;
