import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { xApiKey } from '../../../src/service/api/admin-keys.ts';
import { acceptedVersions } from '../../../src/service/api/versions.ts';
import { type ApiVersion, parseApiVersions } from '../../../src/service/roster/api-version.ts';
import { parseVendor, type Vendor } from '../../../src/shared/record/vendor.ts';
import { callerOf, startStubRosterService } from '../../support/http.ts';
import { VENDOR } from '../../support/roster.ts';
import { startService, stubReader } from '../../support/service.ts';

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

test('a version after the first is named by its row and in its own file, and nowhere else', () => {
  const date = '2026-10-21';
  assert.notEqual(acceptedVersions([date as ApiVersion]).get(date), acceptedVersions([]).get('2023-06-01'));
  const files = globSync('src/service/**/*.ts').filter(file => readFileSync(file, 'utf8').includes(date));
  assert.deepEqual(files.map(file => file.replaceAll('\\', '/')).sort(), [
    'src/service/api/record-2026-10-21.ts',
    'src/service/api/versions.ts',
  ]);
});
