import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { parseVendor, type Vendor } from '../../src/roster/vendor.ts';
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

  const unsupported = [
    '',
    '2023-06-02',
    '2023-6-1',
    '2023-06-01T00:00:00Z',
    '"2023-06-01"',
    'latest',
    'toString',
    '__proto__',
  ];
  for (const version of [...unsupported, ['2023-06-01', '2023-06-01'], ['2023-06-01', '']]) {
    test(`with ${JSON.stringify(version)} is refused; the error lists the supported versions`, async () => {
      const answer = await called.send({ headers: { 'vendor-version': version } });
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.body.error, {
        type: 'invalid_request_error',
        message: 'vendor-version: not a supported version; supported: 2023-06-01',
      });
      assert.equal(answer.headers['vendor-organization-id'], called.organization);
    });
  }

  test('may have its name in any case', async () => {
    const headers = { 'vendor-version': undefined, 'Vendor-Version': '2023-06-01' };
    assert.equal((await called.send({ headers })).status, 200);
  });
});

describe('another vendor', () => {
  for (const vendor of ['acme', 'a', 'acme-labs-2'].map(name => parseVendor(name) as Vendor)) {
    test(`such as "${vendor}" has its own header names and no others`, async context => {
      const { send, organization } = await startStubRosterService(context, { vendor });
      const answer = await send();
      assert.equal(answer.status, 200);
      assert.equal(answer.headers[`${vendor}-organization-id`], organization);
      assert(!('vendor-organization-id' in answer.headers));

      const headers = { [`${vendor}-version`]: undefined, 'vendor-version': '2023-06-01' };
      const refused = await send({ headers });
      assert.equal(refused.status, 400);
      assert.equal(
        refused.body.error.message,
        `${vendor}-version: header is required; supported: 2023-06-01`,
      );
    });
  }
});
