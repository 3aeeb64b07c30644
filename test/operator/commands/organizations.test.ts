import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EmbeddedStore, embeddedStore } from '../../support/embedded-store.ts';
import { importContent, jsonLines, record } from '../../support/import-file.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';
import type { Scope } from '../../support/scope.ts';
import { noTerminal, onTerminal } from '../../support/terminal.ts';

/** A store whose organization has three API keys. */
async function filledStore(t: Scope) {
  const store = await embeddedStore(t);
  await importContent(store, jsonLines(['a', 'b', 'c'].map(id => record(id))));
  const run = (...args: string[]) => runCommand(['organizations', ...args], { env: store.env });
  return { ...store, run };
}

const listed = async ({ env }: Pick<EmbeddedStore, 'env'>) =>
  JSON.parse((await runCommand(['organizations', 'list', '--json'], { env })).stdout);

test('create prints only the ID, given or generated, and with --json the same object as list --json', async t => {
  const store = await filledStore(t);
  const given = await store.run('create', 'Example Ltd', '--id', 'org_example');
  assert.deepEqual(given, { exitCode: 0, stdout: 'org_example\n', stderr: '' });
  assert.match((await store.run('create', 'Other Ltd')).stdout, /^org_[0-9A-Za-z]{22}\n$/);
  const created = JSON.parse((await store.run('create', 'Ünï "Ltd" 🗝', '--json')).stdout);
  assert.deepEqual(Object.keys(created), ['id', 'name', 'created_at', 'disabled_at', 'deleted_at']);
  assert.equal(created.name, 'Ünï "Ltd" 🗝');
  assert.deepEqual((await listed(store))[3], created);
});

test('create with an invalid name or ID, or without a name, is wrong usage', async t => {
  const store = await filledStore(t);
  const wrong: [string[], RegExp][] = [
    [[''], /^keyroster: name: must not be empty; must be text of at most 1000 characters/],
    [['Name', '--id', 'org example'], /^keyroster: --id: must be 1 to 255 of visible ASCII/],
    [[], /^keyroster: missing required argument 'name'/],
    [['Two', 'names'], /^keyroster: too many arguments/],
    [['Name', '--idd', 'x'], /^keyroster: unknown option '--idd'/],
  ];
  for (const [args, message] of wrong) assertFailed(await store.run('create', ...args), 2, message);
  assert.equal((await listed(store)).length, 1);
});

test('rename, disable and enable print what they did, and list shows it', async t => {
  const store = await filledStore(t);
  const { organization, run } = store;
  assert.equal((await run('rename', organization, 'Ünï')).stdout, `${organization} was renamed\n`);
  assert.equal((await run('disable', organization)).stdout, `${organization} is disabled\n`);
  assert.match((await run('list')).stdout, /\tÜnï\t.*\tdisabled\n$/);
  const enabled = JSON.parse((await run('enable', organization, '--json')).stdout);
  assert.deepEqual([enabled, enabled.disabled_at], [(await listed(store))[0], null]);
  assertFailed(await run('disable', 'unknown'), 1, /there is no organization with this ID/);
  assertFailed(await run('rename', organization, ''), 2, /name: must not be empty/);
});

test('delete without --confirm tells what would go, and deletes nothing; with it the audit log has one entry', async t => {
  const store = await filledStore(t);
  const { env, organization, run } = store;
  const finished = await run('delete', organization);
  assert.equal(finished.exitCode, 1);
  assert.equal(
    finished.stderr,
    `${organization} has 3 API key(s) and 1 admin key(s): all are deleted with it, for good\n` +
      `keyroster: nothing was deleted: to delete it, run it again with --confirm ${organization}\n`,
  );
  const other = await run('delete', organization, '--confirm', 'other');
  assertFailed(other, 2, /--confirm: must be the organization's ID/);
  assert.deepEqual([(await listed(store)).length, (await store.records()).length], [1, 3]);

  const deleted = await run('delete', organization, '--confirm', organization);
  assert.deepEqual(deleted, { exitCode: 0, stdout: `${organization} was deleted\n`, stderr: '' });
  assert.deepEqual([await listed(store), await store.records()], [[], []]);
  const { stdout } = await runCommand(['audit', '--action', 'delete_organization'], { env });
  assert.equal(stdout.trimEnd().split('\n').length, 1);
  assert.ok(stdout.includes(organization));
});

test('delete asks for the ID on a terminal', { skip: noTerminal }, async t => {
  const store = await filledStore(t);
  const { env, organization } = store;
  const shown = await onTerminal(['organizations', 'delete', organization], env, {
    typed: { after: /Type its ID to delete it: /, text: `${organization}\n` },
  });
  assert.match(shown, /3 API key\(s\) and 1 admin key\(s\)/);
  assert.match(shown, /was deleted/);
  assert.deepEqual(await listed(store), []);
});
