import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { xApiKey } from '../../src/api/admin-key-header.ts';
import { type ApiVersion, parseApiVersions } from '../../src/roster/api-version.ts';
import { parseVendor, type Vendor } from '../../src/roster/vendor.ts';
import { callerOf } from '../support/http.ts';
import { VENDOR } from '../support/roster.ts';
import { startService } from '../support/service.ts';
import { stubReader } from '../support/stub-reader.ts';
import { startStubRosterService } from '../support/stub-roster-service.ts';

const called = await startStubRosterService({ after });

describe('the version header', () => {
  test('is required; the error lists the supported versions', async () => {
    const answer = await called.send({ headers: { 'vendor-version': undefined } });
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body.error, {
      type: 'invalid_request_error',
      message: 'vendor-version: header is required; supported: 2023-06-01',
    });
    assert.equal(answer.headers['vendor-organization-id'], called.organization);
  });

  test('with another value is refused; the error lists the supported versions', async () => {
    const wrong = ['', '2023-06-02', '2023-06-01T00:00:00Z', '"2023-06-01"', 'toString', '__proto__'];
    for (const version of [...wrong, ['2023-06-01', '2023-06-01'], ['2023-06-01', '']]) {
      const answer = await called.send({ headers: { 'vendor-version': version } });
      assert.equal(answer.status, 400, String(version));
      assert.deepEqual(answer.body.error, {
        type: 'invalid_request_error',
        message: 'vendor-version: not a supported version; supported: 2023-06-01',
      });
      assert.equal(answer.headers['vendor-organization-id'], called.organization);
    }
  });

  test('may have its name in any case', async () => {
    const headers = { 'vendor-version': undefined, 'Vendor-Version': '2023-06-01' };
    assert.equal((await called.send({ headers })).status, 200);
  });
});

test('versions that the operator adds are answered like 2023-06-01, and the error lists them too', async context => {
  const { reader, secret } = stubReader();
  const versions = parseApiVersions(['2026-10-21', '2024-02-29', '2023-06-01']) as ApiVersion[];
  const service = await startService(reader, VENDOR, { versions });
  const { send, close } = callerOf(service.port, secret, VENDOR, { authentication: xApiKey, versions });
  context.after(async () => {
    close();
    await service.close();
  });
  const answers = new Set<string>();
  for (const version of ['2023-06-01', '2026-10-21', '2024-02-29']) {
    const answer = await send({ headers: { 'vendor-version': version } });
    assert.equal(answer.status, 200, version);
    answers.add(answer.text);
  }
  assert.equal(answers.size, 1);

  const supported = 'supported: 2023-06-01, 2026-10-21, 2024-02-29';
  for (const version of ['2026-10-22', '2026-10-21, 2023-06-01']) {
    const { status, body } = await send({ headers: { 'vendor-version': version } });
    assert.equal(status, 400, version);
    assert.equal(body.error.message, `vendor-version: not a supported version; ${supported}`);
  }
  const { body } = await send({ headers: { 'vendor-version': undefined } });
  assert.equal(body.error.message, `vendor-version: header is required; ${supported}`);
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
