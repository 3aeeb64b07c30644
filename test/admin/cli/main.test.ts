import assert from 'node:assert/strict';
import { test } from 'node:test';
import { program as adminsProgram } from '../../../src/admin/cli/main.ts';
import { buildCommand } from '../../../src/shared/command/program.ts';
import { VERSION } from '../../../src/shared/version.ts';
import { runNode } from '../../support/command-line.ts';
import { loadedModules, RECORD_LOADED } from '../../support/loaded-modules.ts';
import { BINS, OF_ADMIN } from '../../support/programs.ts';
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
    [...OF_ADMIN, 'completion'],
  );
  for (const command of commands) {
    const { exitCode, stdout } = await runCommand([command.name(), '--help'], { program });
    assert.equal(exitCode, 0);
    const call = `keyroster-admin ${command.name()}`;
    assert.match(stdout, new RegExp(`^Usage: ${call} .*\\nExample: .*${call}`, 's'), stdout);
  }
});

test('an unknown command exits with 2, one clear line and a hint at --help', async () => {
  const { exitCode, stderr } = await runCommand(['lits'], { program });
  assert.equal(exitCode, 2);
  assert.match(stderr, /^keyroster-admin: unknown command 'lits'\n.*--help/s);
});

test('only diff at work loads SQLite, of which Node warns before 24.15', async () => {
  for (const args of [['--help'], ['--version'], ['lits'], ['completion', 'bash'], ['diff', '--help']]) {
    const { stderr } = await runNode([BINS[program], ...args], { env: RECORD_LOADED });
    const { urls } = loadedModules(stderr);
    assert(
      urls.some(url => url.endsWith('/admin/cli/main.ts')) && !urls.includes('node:sqlite'),
      args.join(' '),
    );
  }
});

test('--version prints the version and exits with 0', async () => {
  assert.deepEqual(await runNode([BINS[program], '--version']), {
    exitCode: 0,
    stdout: `${VERSION}\n`,
    stderr: '',
  });
});

test('a flag that is given twice is refused, since one value would be ignored', async () => {
  const lines = [
    ['report', '--max-age', '30d', '--max-age', '3000d'],
    ['list', '--status', 'active', '--status=archived'],
    ['list', '--all', '--all'],
    ['report', '--no-default-workspace', '--no-default-workspace'],
  ];
  for (const line of lines) {
    const { exitCode, stdout, stderr } = await runCommand(line);
    assert.deepEqual({ exitCode, stdout }, { exitCode: 2, stdout: '' }, `${line}`);
    assert.match(stderr, /^keyroster-admin: --[a-z-]+: must be given once\n$/);
  }
});

test('a flag wins over its variable, which is no second time', async () => {
  const env = { KEYROSTER_BASE_URL: 'http://127.0.0.1:1', KEYROSTER_ADMIN_KEY: 'x' };
  const { stderr } = await runCommand(['list', '--base-url', 'ftp://example.com'], { env });
  assert.match(stderr, /^keyroster-admin: --base-url: must be an http or https URL/);
});
