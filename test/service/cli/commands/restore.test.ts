import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newRotation } from '../../../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../../../src/service/roster/admin-key-secret.ts';
import { deleteOrganization } from '../../../../src/service/roster/organization.ts';
import type { Duration } from '../../../../src/shared/record/duration.ts';
import type { AdminKeyId, OrganizationId } from '../../../../src/shared/record/identifier.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { ALL, createOrganization, importKeys, now, VENDOR } from '../../../support/roster.ts';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';
import type { Scope } from '../../../support/scope.ts';
import { numberedKeys } from '../../../support/seeded-service.ts';
import { storeAt, TEST_ACTOR } from '../../../support/store-at.ts';

/** A store, a backup of it, and an organization that was disabled since. */
async function restorable(scope: Scope) {
  const store = await embeddedStore(scope);
  const backup = join(store.folder, 'backup.db');
  await runCommand(['backup', backup], { env: store.env });
  const writer = await storeAt(store.url).openWriter();
  await writer.disableOrganization(store.organization, now());
  await writer.close();
  const run = (...args: string[]) => runCommand(['restore', ...args], { env: store.env });
  /** The audit log as a file. */
  const log = async () => {
    const { stdout } = await runCommand(['audit', '--format', 'jsonl'], { env: store.env });
    const file = join(store.folder, 'audit-log.jsonl');
    writeFileSync(file, stdout);
    return file;
  };
  return { ...store, backup, run, log };
}

async function statesOf(url: string): Promise<[OrganizationId, boolean][]> {
  const reader = await storeAt(url).openOperatorReader();
  const organizations = await reader.listOrganizations(...ALL);
  await reader.close();
  return organizations.map(({ id, disabledAt }) => [id, disabledAt === null]);
}

test('restore puts the backup in place for its owner only, with what ended since, and keeps the store', async t => {
  const { backup, file, folder, url, organization, run } = await restorable(t);
  const before = await storeAt(url).findIdentity();
  const { stdout } = await run(backup);
  const [, kept = ''] =
    /^the store before is now (.*)\nall that ended since is repeated\n$/.exec(stdout) ?? [];
  assert.deepEqual(
    readdirSync(folder).filter(name => /partial|before.*-(wal|shm)$/.test(name)),
    [],
  );
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(await statesOf(url), [[organization, false]]);
  assert.deepEqual(await statesOf(`sqlite:${kept}`), await statesOf(url));
  assert.deepEqual(await storeAt(url).findIdentity(), before);
});

test('restore changes nothing while a process has the store open, nor by a backup of another store', async t => {
  const { backup, url, run } = await restorable(t);
  const other = await restorable(t);
  const states = await statesOf(url);
  assertFailed(await run(other.backup), 2, /file: is of store_\w+, and sqlite:\S+ is store_\w+: nothing/);
  const reader = await storeAt(url).openReader();
  assertFailed(await run(backup), 1, /another process has .* open: stop "keyroster serve"/);
  await reader.close();
  assert.deepEqual(await statesOf(url), states);
});

test('restore changes nothing where the store was written meanwhile', async t => {
  const { backup, url, organization } = await restorable(t);
  const meanwhile = async () => {
    const writer = await storeAt(url).openWriter();
    await writer.renameOrganization(organization, 'Renamed');
    await writer.close();
  };
  const restoring = storeAt(url).restore(backup, TEST_ACTOR, meanwhile);
  await assert.rejects(restoring, /was written meanwhile: run it again; nothing was changed/);
  const reader = await storeAt(url).openOperatorReader();
  assert.equal((await reader.findOrganization(organization)).name, 'Renamed');
  await reader.close();
});

test('where the store is damaged or lost, restore asks for its audit log, and what it restores is served once that is confirmed', async t => {
  const { backup, file, url, env, run } = await restorable(t);
  writeFileSync(file, 'not a database');
  for (const restored of [url, `sqlite:${file}.new`]) {
    const lost = await run(backup, '--database', restored);
    assertFailed(
      lost,
      1,
      /give the store before it by --from; where it is lost, its audit log by --audit-log/,
    );
    const { stdout, exitCode } = await run(backup, '--database', restored, '--audit-log', '/dev/null');
    assert.equal(exitCode, 4);
    assert.match(stdout, /^serve refuses the copy until .*\nwhat ended since, as --audit-log is empty$/m);
    const serve = runCommand(['serve', '--port', '0', '--database', restored], { env });
    assertFailed(await serve, 1, /this is a copy of store_/);
    assert.equal((await run('--confirm', '--database', restored)).exitCode, 0);
    await (await storeAt(restored).openReader()).close();
  }
});

/** What restore lists, as a pattern: times are left open. */
const listed = (...lines: string[]) =>
  new RegExp(`^${lines.join('\n').replaceAll('TIME', '20\\S+Z')}\n$`, 'm');

test('by a log nothing is done: each kind of act to an organization that is still there is counted, with commands for what ended', async t => {
  const { backup, url, organization, run, log } = await restorable(t);
  const writer = await storeAt(url).openWriter();
  await writer.enableOrganization(organization);
  const keys = numberedKeys(3);
  await importKeys(writer, organization, keys);
  for (const { id } of keys.slice(0, 2)) await writer.setStatus(organization, [id], 'archived');
  await writer.setStatus(organization, [], 'inactive');
  const gone = await createOrganization(writer);
  await deleteOrganization(writer, gone.id, now(), () => {});
  await writer.close();
  const { stdout, exitCode } = await run(backup, '--audit-log', await log(), '--database', `${url}.new`);
  assert.equal(exitCode, 4);
  const of = `of ${organization}`;
  assert.match(
    stdout,
    listed(
      `disable_organization ${of}: 1 since TIME`,
      `  keyroster organizations disable ${organization}`,
      `enable_organization ${of}: 1 since TIME`,
      `import ${of}: 1 since TIME`,
      `set_status ${of}: 3 since TIME`,
      ...keys
        .slice(0, 2)
        .map(({ id }) => `  keyroster set-status archived ${id} --organization ${organization}`),
      `  keyroster set-status inactive --from FILE --organization ${organization}`,
      `delete_organization of ${gone.id}: 1 since TIME`,
      `  keyroster organizations delete ${gone.id} --confirm ${gone.id}`,
      'what ended after TIME, where --audit-log ends',
    ),
  );
  assert.deepEqual(await statesOf(`${url}.new`), [[organization, true]]);
});

test('from the store before it repeats what ended, and nothing that began: that is left', async t => {
  const { backup, url, organization, run } = await restorable(t);
  const writer = await storeAt(url).openWriter();
  await writer.enableOrganization(organization);
  const made = await createOrganization(writer);
  await writer.disableOrganization(made.id, now());
  const [adminKey] = await writer.listAdminKeys(organization, ...ALL);
  const adminKeyId = adminKey?.id as AdminKeyId;
  const rotation = newRotation(AdminKeySecret.issue(VENDOR), now());
  const { old } = await writer.rotateAdminKey(adminKeyId, rotation, 0n as Duration);
  await writer.close();
  const { stdout } = await run(backup);
  assert.match(
    stdout,
    listed(
      `enable_organization of ${organization}: 1 since TIME`,
      `create_organization of ${made.id}: 1 since TIME`,
      `create_admin_key of ${made.id}: 1 since TIME`,
      `disable_organization of ${made.id}: 1 since TIME`,
      `  keyroster organizations disable ${made.id}`,
      `rotate_admin_key of ${organization}: 1 since TIME`,
      `  keyroster admin-keys rotate ${adminKeyId}`,
    ),
  );
  assert.deepEqual(await statesOf(url), [[organization, false]]);
  const reader = await storeAt(url).openOperatorReader();
  assert.deepEqual(await reader.listAdminKeys(null, ...ALL), [{ ...old, replacedBy: null }]);
  await reader.close();
});

test('restore refuses options that say nothing together, and a log that is none', async t => {
  const { backup, file, url, run } = await restorable(t);
  for (const args of [[], [backup, '--confirm']])
    assertFailed(await run(...args), 2, /^keyroster: file: give it/);
  const log = `${file}.log`;
  writeFileSync(log, '{"number":1}\n');
  assertFailed(await run(backup, '--audit-log', log), 2, /line 1 is no entry/);
  assertFailed(await run(backup, '--audit-log', log, '--from', url), 2, /cannot be used with option '--from/);
});

test('a log may overlap, go on after a restore, or have what no shell may run: each act is counted once, and each word is quoted', async t => {
  const { backup, file, organization, run, log } = await restorable(t);
  const [first = ''] = readFileSync(await log(), 'utf8').split('\n');
  const entry = (action: string, details: object, time = '2026-11-22T00:00:00Z') =>
    JSON.stringify({ ...JSON.parse(first), number: 90, time, action, details });
  const act = entry('remove_field', { name: "it's; $(reboot)" });
  const lines = [act, first, act, entry('constructor', {}, '2026-11-23T00:00:00Z')];
  writeFileSync(`${file}.log`, `${lines.join('\n')}\n`);
  const { stdout } = await run(backup, '--audit-log', `${file}.log`);
  assert.ok(
    stdout.includes(
      `\nremove_field: 1 since 2026-11-22T00:00:00.000000Z\n  keyroster fields remove 'it'\\''s; $(reboot)' --yes\n` +
        'constructor: 1 since 2026-11-23T00:00:00.000000Z\nwhat ended after 2026-11-23T00:00:00.000000Z, where',
    ),
    stdout,
  );
  assert.doesNotMatch(stdout, new RegExp(organization));
});
