import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyroster } from '../support/command-line.ts';

test('nothing asked for is wrong usage and shows the commands', async () => {
  const { exitCode, stdout, stderr } = await keyroster([]);
  assert.equal(exitCode, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /^Usage: keyroster/);
});

test('an unknown command is wrong usage, one clear line and how to get help', async () => {
  const { exitCode, stderr } = await keyroster(['sevre']);
  assert.equal(exitCode, 2);
  assert.match(stderr, /^keyroster: unknown command 'sevre'/);
  assert.match(stderr, /--help/);
});

test('every command shows help with an example, and succeeds', async () => {
  const commands = [
    ['demo'],
    ['serve'],
    ['migrate'],
    ['organizations', 'create'],
    ['organizations', 'list'],
    ['admin-keys', 'create'],
    ['admin-keys', 'list'],
    ['admin-keys', 'revoke'],
    ['import'],
    ['list'],
    ['report'],
  ];
  await Promise.all(
    commands.map(async command => {
      const { exitCode, stdout, stderr } = await keyroster([...command, '--help']);
      assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
      assert.match(stdout, new RegExp(`^Usage: keyroster ${command.join(' ')} `));
      assert.match(stdout, new RegExp(`\\nExample: keyroster ${command.join(' ')}`));
    }),
  );
});
