import assert from 'node:assert/strict';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deleteOrganization } from '../../../../src/service/roster/organization.ts';
import type { OrganizationId } from '../../../../src/shared/record/identifier.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { ALL, createOrganization, importKeys, now } from '../../../support/roster.ts';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';
import type { Scope } from '../../../support/scope.ts';
import { numberedKeys } from '../../../support/seeded-service.ts';
import { storeAt, TEST_ACTOR } from '../../../support/store-at.ts';

/** A store, a backup of it, and an organization that was made and one that was disabled since. */
async function restorable(scope: Scope) {
  const store = await embeddedStore(scope);
  const backup = join(store.folder, 'backup.db');
  await runCommand(['backup', backup], { env: store.env });
  const writer = await storeAt(store.url).openWriter();
  await writer.disableOrganization(store.organization, now());
  const made = await createOrganization(writer);
  await writer.close();
  const run = (...args: string[]) => runCommand(['restore', ...args], { env: store.env });
  /** The audit log as a file, without some of its lines, and the time of its last entry. */
  const log = async (without = /^$/) => {
    const { stdout } = await runCommand(['audit', '--format', 'jsonl'], { env: store.env });
    const lines = stdout.split('\n').filter(line => line && !without.test(line));
    const file = join(store.folder, `${without.source.length}.jsonl`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return { file, last: JSON.parse(lines.at(-1) ?? '').time };
  };
  return { ...store, backup, made, run, log };
}

async function statesOf(url: string): Promise<[OrganizationId, boolean][]> {
  const reader = await storeAt(url).openOperatorReader();
  const organizations = await reader.listOrganizations(...ALL);
  await reader.close();
  return organizations.map(({ id, disabledAt }) => [id, disabledAt === null]);
}

test('restore puts the backup in place for its owner only, with what ended and what was made since, and keeps the store', async t => {
  const { backup, file, folder, url, organization, made, run } = await restorable(t);
  const before = await storeAt(url).findIdentity();
  const { stdout } = await run(backup);
  const [, kept = ''] =
    /^the store before is now (.*)\nall that ended since is repeated\n$/.exec(stdout) ?? [];
  assert.deepEqual(
    readdirSync(folder).filter(name => /partial|before.*-(wal|shm)$/.test(name)),
    [],
  );
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(await statesOf(url), [
    [organization, false],
    [made.id, true],
  ]);
  assert.deepEqual(await statesOf(`sqlite:${kept}`), await statesOf(url));
  assert.deepEqual(await storeAt(url).findIdentity(), before);
});

test('restore changes nothing while a process has the store open, nor by a backup or a log of another store', async t => {
  const { backup, url, run } = await restorable(t);
  const other = await restorable(t);
  const states = await statesOf(url);
  assertFailed(await run(other.backup), 2, /file: is of store_\w+, and sqlite:\S+ is store_\w+: nothing/);
  const { file } = await other.log();
  assertFailed(await run(backup, '--audit-log', file), 2, /--audit-log: .* is of another store/);
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

test('a log without an entry leaves its act out, and the store beside it gives what the log has not', async t => {
  const { backup, url, organization, made, run, log } = await restorable(t);
  const writer = await storeAt(url).openWriter();
  const gone = await createOrganization(writer);
  await deleteOrganization(writer, gone.id, now(), () => {});
  await writer.close();
  const { file, last } = await log(/"disable_organization"/);
  const { stdout } = await run(backup, '--from', url, '--audit-log', file);
  assert.ok(stdout.endsWith(`\nwhat ended after ${last}, where --audit-log ends\n`), stdout);
  assert.deepEqual(await statesOf(url), [
    [organization, true],
    [made.id, true],
  ]);
});

test('restore names each import and key that is left to be made, and since when, but none of an organization that was deleted later', async t => {
  const { backup, url, made, run, log } = await restorable(t);
  const writer = await storeAt(url).openWriter();
  await importKeys(writer, made.id, numberedKeys(1));
  const gone = await createOrganization(writer);
  await deleteOrganization(writer, gone.id, now(), () => {});
  await writer.close();
  const { stdout } = await run(backup, '--audit-log', (await log()).file, '--database', `${url}.new`);
  const left = stdout.split('\n').slice(1, -2);
  for (const line of left) assert.match(line, new RegExp(` of ${made.id}: .* \\(since 20.*Z\\)$`));
  assert.equal(left.length, 3, stdout);
  const { file } = await log(/"delete_organization"/);
  const again = await run(backup, '--from', url, '--audit-log', file);
  assert.match(again.stdout, new RegExp(`^create_admin_key of ${gone.id}: create another one`, 'm'));
});

test('restore refuses options that say nothing together, and a log that is none', async t => {
  const { backup, file, run } = await restorable(t);
  for (const args of [[], [backup, '--confirm']])
    assertFailed(await run(...args), 2, /^keyroster: file: give it/);
  const time = '2026-11-22T00:00:00Z';
  const act = JSON.stringify({
    number: 9,
    time,
    action: 'disable_organization',
    organization_id: null,
    details: {},
  });
  const logs: [string, RegExp][] = [
    ['{"number":1}', /line 1 is no entry/],
    [`${act}\n${act}\n${act.replace('22T', '23T')}`, /9 is two acts: leave out what a restore took back/],
  ];
  for (const [log, problem] of logs) {
    writeFileSync(`${file}.log`, `${log}\n`);
    assertFailed(await run(backup, '--audit-log', `${file}.log`), 2, problem);
  }
});
