import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import serverless from 'serverless-http';
import { adminKeyAuthentication } from '../../../src/service/api/admin-keys.ts';
import { createApi } from '../../../src/service/api/api.ts';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { createKeyroster, pageItem } from '../../../src/service/library.ts';
import { handle } from '../../../src/service/server/handle.ts';
import type { ApiKeyRecord } from '../../../src/shared/record/api-key-record.ts';
import { exampleRecord } from '../../support/example-record.ts';
import { VENDOR } from '../../support/roster.ts';
import { stubReader } from '../../support/service.ts';

type Headers = Readonly<Record<string, string>>;

/** What every client sends, and what API Gateway and CloudFront add. */
const SENT: Headers = {
  accept: '*/*',
  'content-length': '0',
  host: 'r3pmxmplak.execute-api.us-east-2.amazonaws.com',
  'cloudfront-viewer-city': 'Łódź',
  'vendor-version': '2023-06-01',
  'x-amzn-trace-id': 'Root=1-5e6722a7-cc56xmpl46db7ae02d4da47e',
  'x-forwarded-for': '205.255.255.176',
  'x-forwarded-port': '443',
  'x-forwarded-proto': 'https',
};

/** An event of an HTTP API (payload format 2.0), which joins a header that was sent twice with a comma. */
const ofHttpApi = (headers: Headers) => ({
  version: '2.0',
  routeKey: '$default',
  rawPath: LIST_API_KEYS_PATH,
  rawQueryString: 'limit=1000',
  cookies: ['theme=dark', 'sid=of-ann'],
  headers: { ...SENT, ...headers },
  queryStringParameters: { limit: '1000' },
  requestContext: {
    accountId: '123456789012',
    apiId: 'r3pmxmplak',
    domainName: SENT.host,
    http: {
      method: 'GET',
      path: LIST_API_KEYS_PATH,
      protocol: 'HTTP/1.1',
      sourceIp: '205.255.255.176',
      userAgent: 'curl/8.5.0',
    },
    requestId: 'JKJaXmPLvHcESHA=',
    routeKey: '$default',
    stage: '$default',
    time: '10/Mar/2026:05:16:23 +0000',
    timeEpoch: 1583817383220,
  },
  isBase64Encoded: false,
});

/** An event of a REST API (payload format 1.0), whose names are as they were sent. */
const ofRestApi = (headers: Headers) => {
  const sent = Object.entries({ ...SENT, ...headers, Cookie: 'theme=dark; sid=of-ann' });
  return {
    resource: '/{proxy+}',
    path: LIST_API_KEYS_PATH,
    httpMethod: 'GET',
    headers: Object.fromEntries(sent),
    multiValueHeaders: Object.fromEntries(sent.map(([name, value]) => [name, [value]])),
    queryStringParameters: { limit: '1000' },
    multiValueQueryStringParameters: { limit: ['1000'] },
    pathParameters: { proxy: LIST_API_KEYS_PATH.slice(1) },
    stageVariables: null,
    requestContext: {
      httpMethod: 'GET',
      identity: { sourceIp: '205.255.255.176', userAgent: 'curl/8.5.0' },
      path: `/prod${LIST_API_KEYS_PATH}`,
      protocol: 'HTTP/1.1',
      requestId: 'id=',
      stage: 'prod',
    },
    body: null,
    isBase64Encoded: false,
  };
};

interface LambdaAnswer {
  readonly statusCode: number;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}
type Lambda = (event: object) => Promise<LambdaAnswer>;
const lambda = (handler: (...all: never[]) => unknown) => {
  const run = serverless(handler);
  return ((event: object) => run(event, {})) as Lambda;
};

const LENGTH = 1_000;
const records = Array.from({ length: LENGTH }, (_, index) => ({
  ...exampleRecord,
  id: `apikey_${2 * LENGTH - index}`,
}));
const items = records.map(record => pageItem(record as ApiKeyRecord));

test('authenticate gets the headers, cookies and address of a request of AWS Lambda, and the page is sent and logged', async () => {
  const lines: string[] = [];
  const metrics = new Registry();
  const keyroster = await createKeyroster({
    roster: { listApiKeys: async () => ({ items, hasMore: false }) },
    authenticate: ({ headers, clientAddress = '' }) => {
      const known =
        headers.get('authorization') === 'Bearer of-ann' && headers.get('cookie')?.endsWith('of-ann');
      return known && { organizationId: 'org_1', callerId: clientAddress };
    },
    metrics,
    log: { write: line => lines.push(line) },
  });
  const run = lambda(keyroster.handle);
  const statusesOf = () => lines.splice(0).map(line => JSON.parse(line).status);
  for (const eventWith of [ofHttpApi, ofRestApi]) {
    assert.equal((await run(eventWith({ authorization: 'Bearer of-bob' }))).statusCode, 401);
    const plain = await run(eventWith({ Authorization: 'Bearer of-ann' }));
    assert.deepEqual([plain.statusCode, plain.isBase64Encoded], [200, false]);
    const packed = await run(eventWith({ authorization: 'Bearer of-ann', 'accept-encoding': 'gzip' }));
    assert.deepEqual([packed.statusCode, packed.isBase64Encoded], [200, true]);
    for (const body of [plain.body, String(gunzipSync(Buffer.from(packed.body, 'base64')))])
      assert.equal(JSON.parse(body).data.length, LENGTH);
    await new Promise(setImmediate);
    assert.deepEqual(statusesOf(), [401, 200, 200]);
  }
  assert.match(await metrics.metrics(), /^keyroster_unread_answer_bytes 0$/m);
  await keyroster.close();
});

test('an admin key is known in the headers of an adapter, and is refused where it was sent twice', async () => {
  const { reader, secret } = stubReader();
  const api = createApi({
    roster: reader,
    authentication: adminKeyAuthentication(reader, { bearer: true }),
    checkReadiness: async () => [],
    vendor: VENDOR,
  });
  const run = lambda((request, response) => handle(api, request, response));
  const statusOf = async (headers: Headers) => (await run(ofHttpApi(headers))).statusCode;
  const bearer = `Bearer ${secret}`;
  for (const known of [{ 'x-api-key': secret }, { Authorization: bearer }])
    assert.equal(await statusOf(known), 200);
  for (const twice of [{ 'x-api-key': `${secret},${secret}` }, { authorization: `${bearer},${bearer}` }])
    assert.equal(await statusOf(twice), 401);
});

test('headers are known in any case, also of a request that has no raw ones', async () => {
  const keyroster = await createKeyroster({
    roster: { listApiKeys: async () => ({ items, hasMore: false }) },
    authenticate: ({ headers }) =>
      headers.get('x-user') === 'ann' && { organizationId: 'org_1', callerId: 'ann' },
    log: { write() {} },
  });
  const run = lambda((request: IncomingMessage, response: ServerResponse) => {
    const headers = Object.entries(request.headers).map(([name, value]) => [name.toUpperCase(), value]);
    Object.assign(request, { headers: Object.fromEntries(headers), rawHeaders: undefined });
    return keyroster.handle(request, response);
  });
  assert.equal((await run(ofHttpApi({ 'x-user': 'bob' }))).statusCode, 401);
  assert.equal((await run(ofHttpApi({ 'x-user': 'ann' }))).statusCode, 200);
  await keyroster.close();
});
