import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Vendor } from '../../../src/roster/vendor.ts';
import { assertFailed } from '../../support/assert-failed.ts';
import { assertNoTrace } from '../../support/canaries.ts';
import { type EmbeddedStore, embeddedStore } from '../../support/embedded-store.ts';
import { record, withoutImportId } from '../../support/import-file.ts';
import { runCommand } from '../../support/run-many-commands.ts';
import { numberedKey, startSeededService } from '../../support/seeded-service.ts';
import { startStubRosterService } from '../../support/stub-roster-service.ts';
import { startStubService } from '../../support/stub-service.ts';

const SECRET = 'admin-key-of-another-service';

const importFrom = ({ env, organization }: EmbeddedStore, url: string, ...args: string[]) =>
  runCommand(['import', '--from', url, '--organization', organization, ...args], {
    env: { KEYROSTER_ADMIN_KEY: SECRET, ...env },
  });

test('import --from copies a roster of several pages, and a second run changes nothing', async t => {
  const keys = Array.from({ length: 2_100 }, (_, number) => numberedKey(number));
  const source = await startSeededService(t, keys);
  const store = await embeddedStore(t);
  const env = { ...store.env, KEYROSTER_ADMIN_KEY: source.secret };
  const args = ['import', '--from', source.service.url, '--organization', store.organization];
  const first = await runCommand(args, { env });
  const counts = 'updated 0, unchanged 0, refused 0\n';
  assert.deepEqual(
    { ...first, stdout: withoutImportId(first.stdout) },
    { exitCode: 0, stdout: `inserted 2100, ${counts}`, stderr: '' },
  );
  assert.match((await runCommand(args, { env })).stdout, /inserted 0, updated 0, unchanged 2100/);
  const exported = (database: string, organization: string) =>
    runCommand(['export', '--organization', organization, '--database', database]);
  const copy = await exported(store.url, store.organization);
  assert.equal(copy.stdout, (await exported(source.database, source.organization)).stdout);
});

test('the vendor of the other service is that of --from-vendor, else that of KEYROSTER_VENDOR', async t => {
  const { service, secret } = await startStubRosterService(t, { vendor: 'acme' as Vendor });
  const store = await embeddedStore(t);
  const env = { ...store.env, KEYROSTER_ADMIN_KEY: secret };
  const args = ['import', '--from', service.url, '--organization', store.organization, '--dry-run'];
  const run = async (more: string[], vendor: string) => {
    const { exitCode } = await runCommand([...args, ...more], { env: { ...env, KEYROSTER_VENDOR: vendor } });
    return exitCode;
  };
  assert.equal(await run([], 'acme'), 0);
  assert.equal(await run([], 'other'), 1);
  assert.equal(await run(['--from-vendor', 'acme'], 'other'), 0);
});

test('unknown fields are dropped, with one warning that has their names and not their values', async t => {
  const store = await embeddedStore(t);
  const url = await startStubService(t, [
    record('k2', { expires_at: SECRET, created_by: { id: 'user_a', type: 'user', email: SECRET } }),
    record('k1', { expires_at: null }),
  ]);
  const { stdout, stderr, exitCode } = await importFrom(store, url);
  assert.deepEqual(
    [exitCode, withoutImportId(stdout)],
    [0, 'inserted 2, updated 0, unchanged 0, refused 0\n'],
  );
  const named = 'created_by.email (1 times), expires_at (2 times)';
  assert.equal(stderr, `warning: dropped unknown fields: ${named}\n`);
  assert.deepEqual(await store.records(), [record('k2'), record('k1')]);
});

test('a record that lacks a field or breaks a rule is refused, and nothing is imported', async t => {
  const store = await embeddedStore(t);
  const records = [
    record('k3'),
    record('k2', { status: undefined, created_by: { type: 'user' } }),
    record('k1', { workspace_id: undefined, partial_key_hint: SECRET }),
  ];
  const url = await startStubService(t, records);
  const { exitCode, stdout, stderr } = await importFrom(store, url);
  assert.deepEqual([exitCode, stdout], [1, '']);
  assert.match(stderr, /^record 2: created_by\.id: is missing: must be 1 to 128/m);
  assert.match(stderr, /^record 2: status: is missing: must be one of active, inactive, archived$/m);
  assert.match(stderr, /^record 3: workspace_id: is missing/m);
  assert.match(stderr, /^record 3: partial_key_hint: must be masked/m);
  assert.match(stderr, /^keyroster: 2 record\(s\) refused: nothing was imported$/m);
  assertNoTrace([SECRET], stderr, 'the messages');
  assert.deepEqual(await store.records(), []);

  const rejects = join(store.folder, 'rejects.jsonl');
  assert.match((await importFrom(store, url, '--rejects', rejects)).stdout, /inserted 1, .*refused 2/);
  const sources = readFileSync(rejects, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(JSON.parse(line).source).id);
  assert.deepEqual(sources, ['k2', 'k1']);
});

test('a status or a creator type that only a newer service has is refused, with the values that there are', async t => {
  const store = await embeddedStore(t);
  const url = await startStubService(t, [
    record('k2', { status: SECRET }),
    record('k1', { created_by: { id: 'user_a', type: SECRET } }),
  ]);
  const { exitCode, stderr } = await importFrom(store, url);
  assert.equal(exitCode, 1);
  assert.match(stderr, /^record 1: status: must be one of active, inactive, archived$/m);
  assert.match(stderr, /^record 2: created_by\.type: must be one of user, service_account$/m);
  assertNoTrace([SECRET], stderr, 'the messages');
});

test('an import that fails on a later page imports nothing and leaves no rejects file', async t => {
  const store = await embeddedStore(t);
  const many = Array.from({ length: 1_500 }, (_, number) => record(`k${9_999 - number}`));
  const url = await startStubService(t, [...many, { ...record('k9999') }]); // listed again: the walk would go in a circle
  const rejects = join(store.folder, 'rejects.jsonl');
  const broken = [...many.slice(0, 1_200), { name: 'no ID' }, ...many.slice(1_200)];
  const failed = await importFrom(store, await startStubService(t, broken), '--rejects', rejects);
  assertFailed(failed, 1, /not a page of API keys: every record must have an id/);
  assert.deepEqual([await store.records(), existsSync(rejects)], [[], false]);
  const circle = await importFrom(store, url, '--rejects', rejects);
  assertFailed(circle, 1, /not a page of API keys: its records are not newest first/);
  assert.deepEqual([await store.records(), existsSync(rejects)], [[], false]);
});

test('import requires either a file or a service, and an admin key for the service', async t => {
  const store = await embeddedStore(t);
  const { env, organization } = store;
  const cases: [args: string[], message: RegExp][] = [
    [[], /import: give a file, or a service with --from/],
    [['a.jsonl', '--from', 'http://127.0.0.1:1'], /import: give a file, or a service with --from/],
    [['--from', 'http://127.0.0.1:1'], /an admin key is required/],
    [
      ['--from', 'http://127.0.0.1:1', '--format', 'csv'],
      /--from <url>' cannot be used with option '--format/,
    ],
  ];
  for (const [args, message] of cases)
    assertFailed(await runCommand(['import', '--organization', organization, ...args], { env }), 2, message);
  assertFailed(await importFrom(store, 'ftp://example.com'), 2, /--from: must be an http/);
  assertFailed(
    await importFrom(store, 'http://127.0.0.1:1', '--from-vendor', 'A'),
    2,
    /--from-vendor: must be/,
  );
});
