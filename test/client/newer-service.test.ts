import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { KeyrosterClient } from '../../src/client/client.ts';
import { record } from '../support/import-file.ts';
import { suiteScope } from '../support/scope.ts';
import { collect } from '../support/seeded-service.ts';
import { startStubService } from '../support/stub-service.ts';

/** What a later version of the API could add: fields, and values of the fields that there are. */
const newer = {
  status: 'suspended',
  created_by: { id: 'robot_1', type: 'robot', model: 7 },
  expires_at: null,
  scopes: ['read', { nested: true }],
};

describe('of a newer service the client', () => {
  const scope = suiteScope();
  const records = [record('k5', newer), record('k4'), record('k3', newer), record('k2'), record('k1', newer)];
  let client: KeyrosterClient;
  before(async () => {
    client = new KeyrosterClient({ baseUrl: await startStubService(scope, records), adminKey: 'x' });
  });

  test('keeps unknown fields and values of every record, page by page', async () => {
    assert.deepEqual(await collect(client.apiKeys.list({ limit: 2 })), records);
    const pages = await collect(client.apiKeys.pages({ limit: 2 }));
    assert.deepEqual(
      pages.flatMap(({ data }) => data),
      records,
    );
  });

  test('keeps them in the JSON of a record', async () => {
    const { data } = await client.apiKeys.list({ limit: 1 });
    assert.deepEqual(JSON.parse(JSON.stringify(data)), [records[0]]);
  });
});
