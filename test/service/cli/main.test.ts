import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { buildProgram } from '../../../src/service/cli/main.ts';
import { VERSION } from '../../../src/shared/version.ts';
import { keyroster } from '../../support/command-line.ts';
import { runCommand } from '../../support/run-many-commands.ts';

test('without a command keyroster prints its usage and exits with 2', async () => {
  const { exitCode, stdout, stderr } = await runCommand([]);
  assert.equal(exitCode, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /^Usage: keyroster/);
});

test('an option before the command exits with 2, and it says where options stand', async () => {
  const { exitCode, stderr } = await runCommand(['-p', 'work', 'list']);
  assert.equal(exitCode, 2);
  assert.match(stderr, /^keyroster: unknown option '-p'\n.*; options follow the command\)\n$/);
});

test('an unknown command exits with 2, one clear line and a hint at --help', async () => {
  const { exitCode, stderr } = await runCommand(['sevre']);
  assert.equal(exitCode, 2);
  assert.match(stderr, /^keyroster: unknown command 'sevre'/);
  assert.match(stderr, /--help/);
});

test('--help prints the help of a command and exits with 0', async () => {
  const { exitCode, stdout, stderr } = await runCommand(['organizations', 'create', '--help']);
  assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
  assert.match(stdout, /^Usage: keyroster organizations create /);
});

test('every command has a help with an example', async () => {
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
  const commands = leaves(await buildProgram());
  assert.ok(commands.length > 30);
  for (const command of commands) {
    let help = '';
    const writeOut = (text: string) => {
      help += text;
    };
    command.configureOutput({ writeOut }).outputHelp();
    const call = /^Usage: (keyroster(?: [a-z-]+)+)/.exec(help)?.[1];
    assert.match(help, new RegExp(`\\nExample: .*${call}`), help);
  }
});

test("the help has two groups of commands: the admin's, and the operator's", async () => {
  const { stdout } = await runCommand(['--help']);
  const groups = stdout.split(/\n\n(?=The )/);
  assert.deepEqual(
    groups.slice(1).map(group => /^The (admin|operator)/.exec(group)?.[1]),
    ['admin', 'operator'],
  );
  assert.match(String(groups[1]), /\n {2}list .*\n {2}report /s);
  assert.doesNotMatch(String(groups[1]), /\n {2}serve /);
});

test('--version prints the version and exits with 0', async () => {
  const finished = await keyroster(['--version']);
  assert.deepEqual(finished, { exitCode: 0, stdout: `${VERSION}\n`, stderr: '' });
});

test('a flag that is given twice is refused, since one value would be ignored', async () => {
  const lines = [
    ['report', '--max-age', '30d', '--max-age', '3000d'],
    ['list', '--status', 'active', '--status=archived'],
    ['list', '--all', '--all'],
    ['report', '--no-default-workspace', '--no-default-workspace'],
    ['admin-keys', 'create', '--name', 'a', '--organization', 'org_a', '--name', 'b'],
  ];
  const finished = await Promise.all(lines.map(line => runCommand(line)));
  for (const [number, { exitCode, stdout, stderr }] of finished.entries()) {
    assert.deepEqual({ exitCode, stdout }, { exitCode: 2, stdout: '' }, `${lines[number]}`);
    assert.match(stderr, /^keyroster: --[a-z-]+: must be given once\n$/);
  }
});

test('a flag wins over its variable, which is no second time', async () => {
  const env = { KEYROSTER_BASE_URL: 'http://127.0.0.1:1', KEYROSTER_ADMIN_KEY: 'x' };
  const { stderr } = await runCommand(['list', '--base-url', 'ftp://example.com'], { env });
  assert.match(stderr, /^keyroster: --base-url: must be an http or https URL/);
});
