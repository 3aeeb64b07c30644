import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

test('create prints only the ID, given or generated', async t => {
  const { env } = await embeddedStore(t);
  const given = await runCommand(['organizations', 'create', 'Example Ltd', '--id', 'org_example'], { env });
  assert.deepEqual(given, { exitCode: 0, stdout: 'org_example\n', stderr: '' });
  const generated = await runCommand(['organizations', 'create', 'Other Ltd'], { env });
  assert.match(generated.stdout, /^org_[0-9A-Za-z]{22}\n$/);
});

test('create --json prints the same object as list --json', async t => {
  const { env } = await embeddedStore(t);
  const created = await runCommand(['organizations', 'create', 'Ünï "Ltd" 🗝', '--json'], { env });
  const organization = JSON.parse(created.stdout);
  assert.deepEqual(Object.keys(organization), ['id', 'name', 'created_at', 'disabled_at', 'deleted_at']);
  assert.equal(organization.name, 'Ünï "Ltd" 🗝');
  assert.match(organization.created_at, TIME);
  const listed = await runCommand(['organizations', 'list', '--json'], { env });
  assert.deepEqual(JSON.parse(listed.stdout)[1], organization);
});

test('create with an invalid name or ID, or without a name, is wrong usage', async t => {
  const { env } = await embeddedStore(t);
  const create = (...args: string[]) => runCommand(['organizations', 'create', ...args], { env });
  const wrong: [string[], RegExp][] = [
    [[''], /^keyroster: name: must not be empty; must be text of at most 1000 characters/],
    [['Name', '--id', 'org example'], /^keyroster: --id: must be 1 to 128 of A-Z a-z 0-9 _ -/],
    [[], /^keyroster: missing required argument 'name'/],
    [['Two', 'names'], /^keyroster: too many arguments/],
    [['Name', '--idd', 'x'], /^keyroster: unknown option '--idd'/],
  ];
  await Promise.all(wrong.map(async ([args, message]) => assertFailed(await create(...args), 2, message)));
  const { stdout } = await runCommand(['organizations', 'list', '--json'], { env });
  assert.equal(JSON.parse(stdout).length, 1);
});
