import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embeddedStore } from '../../support/embedded-store.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';

test('add declares a field, list shows all of them in their order, and remove takes one away', async t => {
  const { env } = await embeddedStore(t);
  const fields = (...args: string[]) => runCommand(['fields', ...args], { env });
  const added = await fields('add', 'last_used_at', '--type', 'timestamp');
  assert.deepEqual(added, { exitCode: 0, stdout: 'last_used_at\n', stderr: '' });
  await fields('add', 'tier', '--type', 'one-of', '--values', 'free,paid');
  const note = await fields('add', 'note', '--type', 'text', '--max-length', '80', '--json');
  assert.deepEqual(JSON.parse(note.stdout), { name: 'note', type: 'text', max_length: 80 });

  const listed = await fields('list');
  assert.equal(listed.stdout, 'last_used_at\ttimestamp\t\ntier\tone-of\tfree,paid\nnote\ttext\tat most 80\n');
  const removed = await fields('remove', 'last_used_at', '--yes');
  assert.deepEqual(removed, { exitCode: 0, stdout: 'last_used_at\n', stderr: '' });
  assert.deepEqual(JSON.parse((await fields('list', '--json')).stdout), [
    { name: 'tier', type: 'one-of', values: ['free', 'paid'] },
    { name: 'note', type: 'text', max_length: 80 },
  ]);
  const audit = await runCommand(['audit', '--action', 'remove_field', '--format', 'jsonl'], { env });
  assert.match(audit.stdout, /last_used_at/);
});

test('remove without --yes changes nothing', async t => {
  const { env } = await embeddedStore(t);
  await runCommand(['fields', 'add', 'calls', '--type', 'integer'], { env });
  assertFailed(await runCommand(['fields', 'remove', 'calls'], { env }), 2, /--yes: .*all its values/);
  assert.match((await runCommand(['fields', 'list'], { env })).stdout, /^calls\t/);
});

test('a name or a type that breaks a rule is wrong usage, of which the message has no value', async t => {
  const { env } = await embeddedStore(t);
  const hex = 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3';
  const wrong: [line: string, RegExp][] = [
    [`${hex} --type boolean`, /name: means a key/],
    ['note', /required option '--type/],
    ['note --type json', /Allowed choices are timestamp, integer, boolean, one-of, text/],
    ['note --type text', /--max-length: must be a whole number from 1 to 200/],
    ['tier --type one-of --values a,,b', /--values: must be 1 to 50 different texts/],
    ['expires_at --type boolean', /name: expires_at and last_used_at have a meaning .*as timestamps/],
    ['tier --type boolean --values a,b', /--values: is not for the type boolean/],
  ];
  for (const [line, message] of wrong) {
    const finished = await runCommand(['fields', 'add', ...line.split(' ')], { env });
    assertFailed(finished, 2, message);
    assert(!finished.stderr.includes(hex));
  }
});

test('a name that is taken, a 21st field and an unknown one are refused', async t => {
  const { env } = await embeddedStore(t);
  const add = (name: string) => runCommand(['fields', 'add', name, '--type', 'boolean'], { env });
  for (let number = 0; number < 20; number++) assert.equal((await add(`f${number}`)).exitCode, 0);
  assertFailed(await add('f3'), 1, /there is a declared field f3 already/);
  assertFailed(await add('f20'), 1, /there are 20 declared fields, and no more are possible/);
  const removed = await runCommand(['fields', 'remove', 'f20', '--yes'], { env });
  assertFailed(removed, 1, /there is no declared field of this name/);
});
