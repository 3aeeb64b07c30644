import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import serverless from 'serverless-http';
import { adminKeyAuthentication } from '../../../src/service/api/admin-keys.ts';
import { createApi } from '../../../src/service/api/api.ts';
import { createKeyroster } from '../../../src/service/library/library.ts';
import { createKeyroster as createOverOwnStore, pageItem } from '../../../src/service/library/own-store.ts';
import { handle } from '../../../src/service/server/handle.ts';
import type { ApiKeyRecord } from '../../../src/shared/record/api-key-record.ts';
import { exampleRecord } from '../../support/example-record.ts';
import { ofHttpApi, ofRestApi, type SentHeaders } from '../../support/lambda-events.ts';
import { VENDOR } from '../../support/roster.ts';
import { stubReader } from '../../support/service.ts';

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
    vendor: VENDOR,
  });
  const run = lambda((request, response) => handle(api, request, response));
  const statusOf = async (headers: SentHeaders) => (await run(ofHttpApi(headers))).statusCode;
  const bearer = `Bearer ${secret}`;
  for (const known of [{ 'x-api-key': secret }, { Authorization: bearer }])
    assert.equal(await statusOf(known), 200);
  for (const twice of [{ 'x-api-key': `${secret},${secret}` }, { authorization: `${bearer},${bearer}` }])
    assert.equal(await statusOf(twice), 401);
});

test('headers are known in any case, also of a request that has no raw ones', async () => {
  const keyroster = await createOverOwnStore({
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
