import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { xApiKey } from '../../../src/service/api/admin-keys.ts';
import { AsciiPieces, bodyLength, wholeBody } from '../../../src/service/api/answer.ts';
import { renderPage } from '../../../src/service/api/render-page.ts';
import { type ApiKey, renderApiKey } from '../../../src/service/roster/api-key.ts';
import { type ApiVersion, parseApiVersions } from '../../../src/service/roster/api-version.ts';
import { JoinedPage } from '../../../src/service/roster/joined-page.ts';
import { parseVendor, type Vendor } from '../../../src/shared/record/vendor.ts';
import { apiKey } from '../../support/arbitraries.ts';
import { callerOf, startStubRosterService } from '../../support/http.ts';
import { VENDOR } from '../../support/roster.ts';
import { startService, stubReader } from '../../support/service.ts';

const pageOf = (keys: readonly ApiKey[], hasMore = false) =>
  JoinedPage.of({ items: keys.map(key => ({ id: key.id, record: renderApiKey(key) })), hasMore });

const expected = (keys: readonly ApiKey[], hasMore = false) =>
  `{"data":[${keys.map(renderApiKey).join()}],"first_id":${JSON.stringify(keys.at(0)?.id ?? null)},"last_id":${JSON.stringify(keys.at(-1)?.id ?? null)},"has_more":${hasMore}}`;

test('a page is the same bytes each time it is rendered, whatever its names hold, and its length is theirs', () => {
  fc.assert(
    fc.property(fc.array(apiKey(), { maxLength: 5 }), fc.boolean(), (keys, hasMore) => {
      const page = pageOf(keys, hasMore);
      for (let times = 0; times < 2; times++) {
        const body = renderPage(page);
        assert.equal(String(wholeBody(body)), expected(keys, hasMore));
        assert.equal(bodyLength(body), Buffer.byteLength(expected(keys, hasMore)));
      }
    }),
    { numRuns: 30 },
  );
});

test('a large page is sent whole, with its length, in pieces where all of it is ASCII', async t => {
  const [key] = fc.sample(apiKey(), 1) as [ApiKey];
  const many = (name: string) =>
    Array.from({ length: 500 }, (_, n) => ({ ...key, id: `key_${n}` as ApiKey['id'], name }));
  const pages = [many('plain'), many('Łódź 東京')];
  assert.deepEqual(
    pages.map(keys => renderPage(pageOf(keys)) instanceof AsciiPieces),
    [true, false],
  );
  let next = 0;
  const { send } = await startStubRosterService(t, {
    listApiKeys: async () => pageOf(pages[next++ % 2] as ApiKey[]),
  });
  for (const keys of pages) {
    const { body, headers } = await send();
    assert.equal(JSON.stringify(body), expected(keys));
    assert.equal(headers['content-length'], String(Buffer.byteLength(expected(keys))));
  }
});

test('the version header is required, and refused with another value; the error lists the supported versions', async t => {
  const { send, organization } = await startStubRosterService(t);
  const wrong = ['', '2023-06-02', '2023-06-01T00:00:00Z', '"2023-06-01"', 'toString', '__proto__'];
  for (const version of [undefined, ...wrong, ['2023-06-01', '2023-06-01'], ['2023-06-01', '']]) {
    const { status, body, headers } = await send({ headers: { 'vendor-version': version } });
    const problem = version === undefined ? 'header is required' : 'not a supported version';
    const message = `vendor-version: ${problem}; supported: 2023-06-01`;
    assert.deepEqual([status, body.error], [400, { type: 'invalid_request_error', message }]);
    assert.equal(headers['vendor-organization-id'], organization);
  }
});

test('versions that the operator adds are answered like 2023-06-01, and the error lists them too', async context => {
  const { reader, secret } = stubReader();
  const versions = parseApiVersions(['2027-10-21', '2024-02-29', '2023-06-01']) as ApiVersion[];
  const service = await startService(reader, VENDOR, { versions });
  const { send, close } = callerOf(service.port, secret, VENDOR, { authentication: xApiKey, versions });
  context.after(async () => {
    close();
    await service.close();
  });
  const answers = new Set<string>();
  for (const version of ['2023-06-01', '2027-10-21', '2024-02-29']) {
    const answer = await send({ headers: { 'vendor-version': version } });
    assert.equal(answer.status, 200, version);
    answers.add(answer.text);
  }
  assert.equal(answers.size, 1);

  const supported = 'supported: 2023-06-01, 2027-10-21, 2024-02-29';
  for (const version of ['2026-10-21', '2027-10-21, 2023-06-01']) {
    const { status, body } = await send({ headers: { 'vendor-version': version } });
    assert.equal(status, 400, version);
    assert.equal(body.error.message, `vendor-version: not a supported version; ${supported}`);
  }
});

test('another vendor has its own header names and no others', async context => {
  for (const vendor of ['a', 'acme-labs-2'].map(name => parseVendor(name) as Vendor)) {
    const { send, organization } = await startStubRosterService(context, { vendor });
    const answer = await send();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers[`${vendor}-organization-id`], organization);
    assert(!('vendor-organization-id' in answer.headers));

    const { status, body } = await send({
      headers: { [`${vendor}-version`]: undefined, 'vendor-version': '2023-06-01' },
    });
    assert.equal(status, 400);
    assert.equal(body.error.message, `${vendor}-version: header is required; supported: 2023-06-01`);
  }
});
