import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyrosterClient, KeyrosterError } from '../../src/client/client.ts';
import { startAnsweringService, startStubService } from '../support/answering-service.ts';
import { record } from '../support/import-file.ts';
import { collect } from '../support/seeded-service.ts';

/** What a later version of the API could add: fields, and values of the fields that there are. */
const newer = {
  status: 'suspended',
  created_by: { id: 'robot_1', type: 'robot', model: 7 },
  expires_at: null,
  scopes: ['read', { nested: true }],
};

test('unknown fields and values of a newer service are kept, record by record and page by page', async t => {
  const records = [record('k5', newer), record('k4'), record('k3', newer), record('k2'), record('k1', newer)];
  const { apiKeys } = new KeyrosterClient({ baseUrl: await startStubService(t, records), adminKey: 'x' });
  assert.deepEqual(await collect(apiKeys.list({ limit: 2 })), records);
  const pages = await collect(apiKeys.pages({ limit: 2 }));
  assert.deepEqual(
    pages.flatMap(({ data }) => data),
    records,
  );
});

test('an older service, which knows no times, is told from a wrong parameter', async t => {
  const message = 'created_before: unknown parameter, did you mean created_by_user_id?'; // as the last release without them has it
  const answer = { type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_1' };
  const baseUrl = await startAnsweringService(t, (_, response) =>
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
  );
  const { apiKeys } = new KeyrosterClient({ baseUrl, adminKey: 'x' });
  await assert.rejects(async () => apiKeys.list({ created_before: '2025-11-24T00:00:00Z' }), {
    name: KeyrosterError.name,
    type: 'invalid_request_error',
    message: `the service is of an older release, which can't filter by time: leave the times out, or ask its operator to upgrade it; it says: ${message}`,
  });
});
