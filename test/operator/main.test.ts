import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { program as adminsProgram } from '../../src/admin/cli/main.ts';
import { program as operators } from '../../src/operator/main.ts';
import { buildCommand } from '../../src/shared/command/program.ts';
import { OF_ADMIN } from '../support/command-line.ts';
import { assertFailed, runCommand } from '../support/run-many-commands.ts';

test('without a command, with an option before it or with an unknown one keyroster says what is wrong, and exits with 2', async () => {
  const wrong: [args: string[], message: RegExp][] = [
    [[], /^Usage: keyroster/],
    [['-p', 'work', 'list'], /^keyroster: unknown option '-p'\n.*; options follow the command\)\n$/],
    [['sevre'], /^keyroster: unknown command 'sevre'[\s\S]*--help/],
  ];
  for (const [args, message] of wrong) {
    const { exitCode, stdout, stderr } = await runCommand(args);
    assert.deepEqual([exitCode, stdout], [2, '']);
    assert.match(stderr, message);
  }
});

test('every command has a help with an example', async () => {
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
  const commands = leaves(await buildCommand(operators));
  assert.ok(commands.length > 25);
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

test("each program knows the other one's name and commands", () => {
  for (const [one, other] of [
    [operators, adminsProgram],
    [adminsProgram, operators],
  ] as const)
    assert.deepEqual([one.other.name, one.other.commands], [other.name, Object.keys(other.commands)]);
});

test('a command of the other program says which program and which package has it', async () => {
  for (const [program, commands, owner] of [
    ['keyroster-admin', Object.keys(operators.commands), 'keyroster (the package keyroster)'],
    ['keyroster', OF_ADMIN, 'keyroster-admin (the package @keyroster/admin)'],
  ] as const)
    for (const command of commands)
      for (const line of [[command], [command, '--help'], ['help', command]]) {
        const stderr = `${program}: ${command} is a command of ${owner}\n`;
        assert.deepEqual(await runCommand(line, { program }), { exitCode: 2, stdout: '', stderr });
      }
});

test('neither the help nor a guess at a mistyped command offers one of the admin', async () => {
  const helps = await Promise.all([['--help'], ['help']].map(line => runCommand(line)));
  for (const { exitCode, stdout } of helps) {
    assert.equal(exitCode, 0);
    assert.match(stdout, /\n {2}serve /);
    for (const command of OF_ADMIN) assert.doesNotMatch(stdout, new RegExp(`\\n {2}${command} `));
  }
  const mistyped = await Promise.all(OF_ADMIN.map(command => runCommand([`${command}s`])));
  for (const { exitCode, stderr } of mistyped) {
    assert.equal(exitCode, 2);
    for (const command of OF_ADMIN) assert.doesNotMatch(stderr, new RegExp(`Did you mean.*\\b${command}\\b`));
  }
});

test('a flag that is given twice is refused, since one value would be ignored', async () => {
  for (const line of [
    ['export', '--organization', 'org_a', '--organization=org_b'],
    ['migrate', '--plan', '--plan'],
    ['admin-keys', 'create', '--name', 'a', '--organization', 'org_a', '--name', 'b'],
  ])
    assertFailed(await runCommand(line), 2, /^keyroster: --[a-z-]+: must be given once\n$/);
});
