import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EmbeddedStore, embeddedStore } from '../../../support/embedded-store.ts';
import { jsonLines, record } from '../../../support/import-file.ts';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';
import type { Scope } from '../../../support/scope.ts';
import { noTerminal, onTerminal } from '../../../support/terminal.ts';

/** A store whose organization has three API keys. */
async function filledStore(t: Scope): Promise<EmbeddedStore> {
  const store = await embeddedStore(t);
  const input = jsonLines(['a', 'b', 'c'].map(id => record(id)));
  await runCommand(['import', '-', '--organization', store.organization], { env: store.env, input });
  return store;
}

const listed = async ({ env }: EmbeddedStore) =>
  JSON.parse((await runCommand(['organizations', 'list', '--json'], { env })).stdout);

test('rename, disable and enable print what they did, and list shows it', async t => {
  const store = await filledStore(t);
  const { env, organization } = store;
  const run = (...args: string[]) => runCommand(['organizations', ...args], { env });
  assert.equal((await run('rename', organization, 'Ünï')).stdout, `${organization} was renamed\n`);
  assert.equal((await run('disable', organization)).stdout, `${organization} is disabled\n`);
  const disabled = await listed(store);
  assert.deepEqual([disabled[0].name, typeof disabled[0].disabled_at], ['Ünï', 'string']);
  assert.match((await run('list')).stdout, /\tÜnï\t.*\tdisabled\n$/);
  const enabled = JSON.parse((await run('enable', organization, '--json')).stdout);
  assert.deepEqual([enabled, enabled.disabled_at], [(await listed(store))[0], null]);
  assertFailed(await run('disable', 'unknown'), 1, /there is no organization with this ID/);
  assertFailed(await run('rename', organization, ''), 2, /name: must not be empty/);
});

test('delete without --confirm tells what would go, and deletes nothing', async t => {
  const store = await filledStore(t);
  const { env, organization } = store;
  const run = (...args: string[]) => runCommand(['organizations', 'delete', ...args], { env });
  const finished = await run(organization);
  assert.equal(finished.exitCode, 1);
  assert.equal(
    finished.stderr,
    `${organization} has 3 API key(s) and 1 admin key(s): all are deleted with it, for good\n` +
      `keyroster: nothing was deleted: to delete it, run it again with --confirm ${organization}\n`,
  );
  assertFailed(await run(organization, '--confirm', 'other'), 2, /--confirm: must be the organization's ID/);
  assertFailed(await run('unknown', '--confirm', 'unknown'), 1, /there is no organization with this ID/);
  assert.equal((await listed(store)).length, 1);
  assert.equal((await store.records()).length, 3);
});

test('delete --confirm deletes it, for which the audit log has one entry', async t => {
  const store = await filledStore(t);
  const { env, organization } = store;
  const finished = await runCommand(['organizations', 'delete', organization, '--confirm', organization], {
    env,
  });
  assert.deepEqual(finished, { exitCode: 0, stdout: `${organization} was deleted\n`, stderr: '' });
  assert.deepEqual(await listed(store), []);
  assert.deepEqual(await store.records(), []);
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
