import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import { embeddedStore } from '../../support/embedded-store.ts';
import { importContent, jsonLines, record } from '../../support/import-file.ts';
import { VENDOR } from '../../support/roster.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';

test('imports are listed, and reverted after a dry run, without the keys that something else changed', async t => {
  const store = await embeddedStore(t);
  const { env, organization } = store;
  const run = (...args: string[]) => runCommand(args, { env });
  assert.equal((await run('imports', 'list', '--json')).stdout, '[]\n');
  await importContent(store, jsonLines([record('k1'), record('k2')]));
  const before = await store.records();
  const archived = ['k1', 'k3', 'k4'].map(id => record(id, { status: 'archived' }));
  const switched = [record('k2', { status: 'inactive' }), ...archived];
  const { import_id } = JSON.parse((await importContent(store, jsonLines(switched), '--json')).stdout);
  await run('set-status', 'active', 'k2', '--organization', organization);
  await importContent(store, jsonLines([record('k3', { name: 'New', status: 'archived' })]));
  const after = await store.records();

  const revert = (...args: string[]) => run('imports', 'revert', import_id, ...args);
  const changed = /something else changed 2 of the import's API keys since; .* --skip-changed leaves these/;
  assertFailed(await revert(), 1, changed);
  const dry = await revert('--skip-changed', '--dry-run');
  const counts = 'deleted 1, statuses 1, skipped 2, organizations 1';
  assert.equal(dry.stdout, `dry run, nothing was changed: ${counts}\n`);
  assert.deepEqual(await store.records(), after);
  const done = await revert('--skip-changed', '--json');
  assert.deepEqual(JSON.parse(done.stdout), { deleted: 1, statuses: 1, skipped: 2, organizations: 1 });
  assert.deepEqual(await store.records(), [record('k3', { name: 'New', status: 'archived' }), ...before]);
  assertFailed(await revert(), 1, /the import was reverted at \d{4}-/);

  const [first, second, later] = JSON.parse((await run('imports', 'list', '--json')).stdout);
  assert.deepEqual([first.reverted_at, second.reverted_at === null], [null, false]);
  assert.deepEqual([second.id, second.organization_id, second.updated], [import_id, organization, 2]);
  const rows = (await run('imports', 'list', '--organization', organization)).stdout.trimEnd().split('\n');
  assert.deepEqual(
    rows.map(row => row.split('\t')[0]),
    [first.id, import_id, later.id],
  );
  const unknown = await run('imports', 'list', '--organization', 'org_unknown');
  assertFailed(unknown, 1, /no organization with this ID/);
  assertFailed(await run('imports', 'revert', 'import_unknown'), 1, /no import with this ID/);
});

test('a file of many organizations is imported by a field or a column that names them', async t => {
  const store = await embeddedStore(t);
  const { env, folder, organization } = store;
  const lines = [
    { organization_id: 'org_new', ...record('k1') },
    { organization_id: organization, ...record('k1') },
  ];
  const file = join(folder, 'keys.jsonl');
  const run = (...args: string[]) =>
    runCommand(['import', file, '--organization-field', 'organization_id', ...args], { env });
  writeFileSync(file, jsonLines([...lines, record('k2'), { ...record('k3'), organization_id: 'a b' }]));
  const refused = await run();
  assert.equal(refused.exitCode, 1);
  for (const message of [
    /line 1: organization_id: there is no organization org_new/,
    /line 3: organization_id: is required/,
    /line 4: organization_id: must be 1 to 255 of/,
    /nothing was imported; --create-organizations creates the organizations that are missing\n$/,
  ])
    assert.match(refused.stderr, message);
  const rejects = join(folder, 'rejects.jsonl');
  assert.match(
    (await run('--rejects', rejects)).stdout,
    /^inserted 1, .* refused 3, organizations 1, import /,
  );
  const rejected = readFileSync(rejects, 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    rejected.map(line => JSON.parse(line)).find(({ line }) => line === 1),
    {
      line: 1,
      problems: ['organization_id: there is no organization org_new'],
      organization_id: 'org_new',
      source: JSON.stringify(record('k1')),
    },
  );
  writeFileSync(file, jsonLines(lines));
  const { stdout } = await run('--create-organizations');
  assert.match(
    stdout,
    /^inserted 1, updated 0, unchanged 1, refused 0, organizations 2 \(1 created\), import import_/,
  );

  const csv = `Customer,id,name,created_at,created_by.id,created_by.type,partial_key_hint,status,workspace_id
org_new,k9,Nine,2024-10-30T23:58:27Z,user_a,user,sk-ven...igAA,active,
`;
  const column = ['import', '-', '--format', 'csv', '--organization-field', 'Customer'];
  assert.match((await runCommand(column, { env, input: csv })).stdout, /^inserted 1,/);
  const missing = await runCommand(column, { env, input: csv.replace('Customer', 'Other') });
  assertFailed(missing, 1, /line 1: unknown column .*; column .*Customer.* is missing/);
});

test('an admin key where the ID of an organization belongs is refused, and not repeated', async t => {
  const { env, folder } = await embeddedStore(t);
  const secret = AdminKeySecret.issue(VENDOR).reveal();
  const file = join(folder, 'keys.jsonl');
  writeFileSync(file, jsonLines([{ organization_id: secret, ...record('k1') }]));
  const wrong = ['import', file, '--organization-field', 'organization_id', '--create-organizations'];
  const { exitCode, stderr } = await runCommand(wrong, { env });
  assert.equal(exitCode, 1);
  assert.match(stderr, /^line 1: organization_id: must not contain an admin key$/m);
  assert(!stderr.includes(secret));
});

test('wrong combinations of options are wrong usage', async () => {
  const wrong: [string[], RegExp][] = [
    [['--organization', 'o', '--organization-field', 'f'], /cannot be used with option/],
    [
      ['--organization', 'o', '--create-organizations'],
      /--create-organizations: is for --organization-field/,
    ],
    [['--organization-field', 'name'], /--organization-field: must be the name of a field that a record/],
  ];
  for (const [args, message] of wrong)
    assertFailed(await runCommand(['import', 'file.jsonl', ...args]), 2, message);
});
