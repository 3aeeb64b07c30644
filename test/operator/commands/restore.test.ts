import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newRotation } from '../../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../../src/service/roster/admin-key-secret.ts';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import { deleteOrganization } from '../../../src/service/roster/organization.ts';
import type { Duration } from '../../../src/shared/record/duration.ts';
import type { AdminKeyId, ApiKeyId, OrganizationId } from '../../../src/shared/record/identifier.ts';
import { embeddedStore } from '../../support/embedded-store.ts';
import { fromJsonLines } from '../../support/import-file.ts';
import { ALL, createOrganization, importKeys, now, VENDOR } from '../../support/roster.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';
import type { Scope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { storeAt, TEST_ACTOR } from '../../support/store-at.ts';

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
  mkdirSync(`${file}.${'x'.repeat(22)}.partial`); // of one that was killed
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

test('restore repeats what ended in the store that it replaces, and not in another by --from', async t => {
  const { backup, url, folder, organization, run } = await restorable(t);
  await run(backup);
  const older = readdirSync(folder).find(name => /\.before-[^-]+-[^-]+-[^-]+-[^-]+-[\w.]+$/.test(name));
  const refused = await run(backup, '--from', `sqlite:${join(folder, String(older))}`);
  assertFailed(refused, 1, /what ended in the store at --database would be back: leave --from out/);
  assert.deepEqual(await statesOf(url), [[organization, false]]);
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

const IN_ORDER = 'for what ended, run these in this order, and between them what you do again:';

/** What restore lists, as a pattern: times are left open. */
const listed = (...lines: string[]) =>
  new RegExp(`^${lines.join('\n').replaceAll('TIME', '20\\S+Z')}\n$`, 'm');

test('by a log nothing is done: each kind of act to an organization that is still there is counted, with commands for what ended', async t => {
  const { backup, url, organization, run, log } = await restorable(t);
  const writer = await storeAt(url).openWriter();
  await writer.enableOrganization(organization);
  const [first, second, third] = numberedKeys(3) as [ApiKey, ApiKey, ApiKey];
  const odd = { ...second, id: '-k|2' as ApiKeyId };
  await importKeys(writer, organization, [first, odd, third]);
  for (const { id } of [first, odd]) await writer.setStatus(organization, [id], 'archived');
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
      `enable_organization ${of}: 1 since TIME`,
      `import ${of}: 1 since TIME`,
      `set_status ${of}: 3 since TIME`,
      `delete_organization of ${gone.id}: 1 since TIME`,
      IN_ORDER,
      `  keyroster organizations disable ${organization}`,
      `  keyroster set-status --organization ${organization} archived ${first.id}`,
      `  keyroster set-status --organization ${organization} archived -- '-k\\|2'`,
      `  keyroster set-status --organization ${organization} inactive --from FILE`,
      `  keyroster organizations delete --confirm ${gone.id} ${gone.id}`,
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
      `rotate_admin_key of ${organization}: 1 since TIME`,
      IN_ORDER,
      `  keyroster organizations disable ${made.id}`,
      `  keyroster admin-keys revoke ${adminKeyId}`,
    ),
  );
  assert.deepEqual(await statesOf(url), [[organization, false]]);
  const reader = await storeAt(url).openOperatorReader();
  assert.deepEqual(await reader.listAdminKeys(null, ...ALL), [{ ...old, replacedBy: null }]);
  await reader.close();
});

for (const source of ['the store before', 'its log'])
  test(`the commands that are listed from ${source} leave each key as it was, whatever was switched to and fro`, async t => {
    const store = await embeddedStore(t);
    const { url, folder, organization, env } = store;
    const [k1, k2, k3] = numberedKeys(3);
    assert(k1 && k2 && k3);
    const writer = await storeAt(url).openWriter();
    await importKeys(writer, organization, [k1, k2, k3]);
    await importKeys(writer, organization, [{ ...k3, status: 'archived' }]);
    const imported = (await writer.listImports(organization, null, 10)).at(-1);
    assert(imported);
    const backup = join(folder, 'backup.db');
    await runCommand(['backup', backup], { env });
    for (const status of ['inactive', 'active', 'inactive'] as const)
      await writer.setStatus(organization, [k1.id], status);
    for (const status of ['inactive', 'active'] as const)
      await writer.setStatus(organization, [k2.id], status);
    await writer.revertImport(imported.id, { skipChanged: true });
    await writer.setStatus(organization, [k3.id], 'archived');
    const [adminKey] = await writer.listAdminKeys(organization, ...ALL);
    const rotation = newRotation(AdminKeySecret.issue(VENDOR), now());
    const day = (24n * 60n * 60n * 1_000_000n) as Duration;
    const { old } = await writer.rotateAdminKey(adminKey?.id as AdminKeyId, rotation, day);
    await writer.close();
    const log = join(folder, 'audit-log.jsonl');
    writeFileSync(log, (await runCommand(['audit', '--format', 'jsonl'], { env })).stdout);
    const { stdout } = await runCommand(
      ['restore', backup, ...(source === 'its log' ? ['--audit-log', log] : [])],
      { env },
    );
    for (const [, command = ''] of stdout.matchAll(/^ {2}keyroster (.*)$/gm)) {
      const { exitCode, stderr } = await runCommand(command.split(' '), { env });
      assert.equal(exitCode, 0, `${command}: ${stderr}`);
    }
    await runCommand(['restore', '--confirm'], { env });
    const exported = await runCommand(['export', '--organization', organization], { env });
    const statuses = fromJsonLines(exported.stdout).map(({ id, status }) => [id, status]);
    assert.deepEqual(statuses.toSorted(), [
      [k1.id, 'inactive'],
      [k2.id, 'active'],
      [k3.id, 'archived'],
    ]);
    const reader = await storeAt(url).openOperatorReader();
    const [restored] = await reader.listAdminKeys(organization, ...ALL);
    await reader.close();
    const expiresAt = restored?.expiresAt;
    assert(expiresAt && old.expiresAt);
    // The command has how long it is still valid, as of when it was listed.
    const difference = expiresAt - old.expiresAt;
    assert(difference < day / 100n && difference > -day / 2n, 'it ends about when it did');
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
      '\nremove_field: 1 since 2026-11-22T00:00:00.000000Z\nconstructor: 1 since 2026-11-23T00:00:00.000000Z\n' +
        `${IN_ORDER}\n  keyroster fields remove 'it'\\''s; $(reboot)' --yes\nwhat ended after 2026-11-23T00:00:00.000000Z, where`,
    ),
    stdout,
  );
  assert.doesNotMatch(stdout, new RegExp(organization));
});
