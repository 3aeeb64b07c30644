import assert from 'node:assert/strict';
import { test } from 'node:test';
import { program as adminsProgram } from '../../../src/admin/cli/main.ts';
import { buildCommand } from '../../../src/shared/command/program.ts';
import { BINS, OF_ADMIN, runNode } from '../../support/command-line.ts';
import { loadedModules, RECORD_LOADED } from '../../support/loaded-modules.ts';
import { runCommand } from '../../support/run-many-commands.ts';

const program = 'keyroster-admin';

test('without a command keyroster-admin prints its usage and exits with 2', async () => {
  const { exitCode, stdout, stderr } = await runCommand([], { program });
  assert.deepEqual({ exitCode, stdout }, { exitCode: 2, stdout: '' });
  assert.match(stderr, /^Usage: keyroster-admin /);
});

test('every command has a help with an example', async () => {
  const { commands } = await buildCommand(adminsProgram);
  assert.deepEqual(
    commands.map(command => command.name()),
    OF_ADMIN,
  );
  for (const command of commands) {
    const { exitCode, stdout } = await runCommand([command.name(), '--help'], { program });
    assert.equal(exitCode, 0);
    const call = `keyroster-admin ${command.name()}`;
    assert.match(stdout, new RegExp(`^Usage: ${call} .*\\nExample: .*${call}`, 's'), stdout);
  }
});

test('only diff at work loads SQLite, of which Node warns before 24.15', async () => {
  for (const args of [['--help'], ['--version'], ['lits'], ['diff', '--help']]) {
    const { stderr } = await runNode([BINS[program], ...args], { env: RECORD_LOADED });
    const { urls } = loadedModules(stderr);
    assert(
      urls.some(url => url.endsWith('/admin/cli/main.ts')) && !urls.includes('node:sqlite'),
      args.join(' '),
    );
  }
});
