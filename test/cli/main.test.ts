import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyroster } from '../support/command-line.ts';

test('without a command keyroster prints its usage and exits with 2', async () => {
  const { exitCode, stdout, stderr } = await keyroster([]);
  assert.equal(exitCode, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /^Usage: keyroster/);
});

test('an unknown command exits with 2, one clear line and a hint at --help', async () => {
  const { exitCode, stderr } = await keyroster(['sevre']);
  assert.equal(exitCode, 2);
  assert.match(stderr, /^keyroster: unknown command 'sevre'/);
  assert.match(stderr, /--help/);
});

test('every command prints help with an example and exits with 0', async () => {
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
