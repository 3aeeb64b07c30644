import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyrosterClient } from '../../src/client/client.ts';
import { record } from '../support/import-file.ts';
import { collect } from '../support/seeded-service.ts';
import { startStubService } from '../support/stub-service.ts';

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
