import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, test } from 'node:test';
import { apiKeyCanary, assertNoTrace, mistyped, shortApiKeyCanary } from './support/canaries.ts';
import { type Running, startKeyroster } from './support/command-line.ts';
import { type EmbeddedStore, embeddedStore } from './support/embedded-store.ts';
import { importContent, jsonLines, record } from './support/import-file.ts';
import { exchange } from './support/pipeline.ts';
import { requestsWithSecret } from './support/requests-with-secret.ts';
import { suiteScope } from './support/scope.ts';
import { fetchJson } from './support/service.ts';

describe('a secret sent to the service', () => {
  const scope = suiteScope();
  let store: EmbeddedStore;
  let serve: Running;
  let port: number;
  let canaries: string[];
  before(async () => {
    store = await embeddedStore(scope);
    await importContent(store, jsonLines([record('k1'), record('k2')]));
    const version = ['--also-version', '2026-10-21', '--default-workspace', 'wrkspc_default'];
    serve = startKeyroster(scope, ['serve', '--port', '0', '--bearer', ...version], { env: store.env });
    const [, address = ''] = await serve.line(/"msg":"listening on (http:[^"]+)"/);
    port = Number(new URL(address).port);
    canaries = [store.secret, mistyped(store.secret), apiKeyCanary().key];
  });

  for (const [caller, secretOf] of [
    ['an admin', (store: EmbeddedStore) => store.secret],
    ['an unauthenticated caller', () => null],
  ] as const) {
    test(`is in no answer, wherever ${caller} puts it in the request`, async () => {
      for (const canary of canaries) {
        for (const [place, bytes] of requestsWithSecret(canary, secretOf(store))) {
          const answer = await exchange(port, bytes);
          assert.match(answer, /^HTTP\/1\.1 \d{3} /, place);
          assertNoTrace(canaries, answer, `the answer to ${place}`);
        }
      }
    });
  }

  test('is in no answer when it is a short API key sent as a parameter name', async () => {
    const canary = shortApiKeyCanary();
    const headers = { 'x-api-key': store.secret, 'vendor-version': '2023-06-01' };
    const address = `http://127.0.0.1:${port}/v1/organizations/api_keys`;
    const { status, body } = await fetchJson(`${address}?${canary}=x`, headers);
    assert.equal(status, 400);
    assertNoTrace([canary], JSON.stringify(body), 'the answer');
  });

  test('is in no log line and nowhere in the database files', async () => {
    const files = readdirSync(store.folder).filter(name => name.startsWith('keyroster.db'));
    assert.ok(files.includes('keyroster.db') && files.includes('keyroster.db-wal'));
    for (const file of files) assertNoTrace(canaries, readFileSync(join(store.folder, file)), file);
    const { stdout, stderr } = await serve.stop();
    assert.ok(stdout.split('\n').length > requestsWithSecret('', null).size, 'the log has the requests');
    assertNoTrace(canaries, stdout + stderr, 'the log');
  });
});

test('a column added to the table is in no answer', async t => {
  const store = await embeddedStore(t);
  const { key } = apiKeyCanary();
  await importContent(store, jsonLines([record('k1'), record('k2')]));
  const database = new DatabaseSync(store.file);
  database.exec(`ALTER TABLE api_keys ADD COLUMN secret TEXT NOT NULL DEFAULT '${key}'`);
  assert.equal(database.prepare('SELECT count(*) AS n FROM api_keys WHERE secret = ?').get(key)?.n, 2);
  database.close();

  const serve = startKeyroster(t, ['serve', '--port', '0'], { env: store.env });
  const [, address] = await serve.line(/"msg":"listening on (http:[^"]+)"/);
  const headers = { 'x-api-key': store.secret, 'vendor-version': '2023-06-01' };
  for (const query of [
    '',
    '?status=active',
    '?workspace_id=wrkspc_a',
    '?created_by_user_id=user_a',
    '?after_id=k2',
  ]) {
    const { status, body } = await fetchJson(`${address}/v1/organizations/api_keys${query}`, headers);
    assert.equal(status, 200);
    assert.ok(body.data.length > 0);
    assertNoTrace([key], JSON.stringify(body), `the answer to ${query}`);
    for (const item of body.data) assert.deepEqual(item, record(item.id));
  }
});
