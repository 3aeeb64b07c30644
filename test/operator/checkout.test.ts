/** The command line from a checkout, by npm's scripts and by the files in bin. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../../src/shared/version.ts';
import { spawnOptions } from '../support/command-line.ts';
import { OLDEST_NODE, olderNode } from '../support/older-node.ts';
import { type Scope, suiteScope, temporaryFolder } from '../support/scope.ts';

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const readJson = (path: string) => JSON.parse(readFileSync(root(path), 'utf8'));
const { scripts } = readJson('package.json');
/** Each runs a part of the project that an older Node can't read. */
const commands: readonly string[] = [
  ...['bin/keyroster', scripts.keyroster, scripts.demo, scripts.console],
  ...['bin/keyroster-admin', scripts['keyroster-admin']],
];
const onPosix = process.platform === 'win32' ? 'needs a shell' : false;

describe('a checkout', { skip: onPosix }, () => {
  const scope = suiteScope();
  let installed: string;
  before(() => {
    installed = checkoutIn(scope, { installed: true });
  });

  test('has commands that run by a link from any folder', t => {
    const folder = temporaryFolder(t);
    for (const name of ['keyroster', 'keyroster-admin']) {
      symlinkSync(root(`bin/${name}`), join(folder, name));
      const printed = execFileSync(`./${name}`, ['--help'], { cwd: folder, encoding: 'utf8' });
      assert.match(printed, new RegExp(`^Usage: ${name} `));
    }
  });

  test('says in one line that npm ci has not run', t => {
    const checkout = checkoutIn(t);
    for (const command of [...commands, scripts.start])
      assert.deepEqual(run(checkout, command), refused(`run npm ci in ${checkout} first`, command), command);
  });

  test('says in one line that without development dependencies it needs a newer Node than this one', t => {
    const { path, version, env, told } = olderNode(t);
    t.diagnostic(told);
    const advice = 'npm ci without --omit=dev installs a newer one';
    const message = `needs Node ${OLDEST_NODE} or newer, this is ${version}; ${advice}`;
    for (const command of [...commands, scripts.start])
      assert.deepEqual(run(installed, command, folderOf(t, path), env), refused(message, command), command);
  });

  test('runs without development dependencies by the Node of the PATH', () => {
    for (const command of commands.filter(each => /keyroster|bin\.ts$/.test(each)))
      assert.deepEqual(run(installed, `${command} --version`), {
        status: 0,
        stdout: `${VERSION}\n`,
        stderr: '',
      });
  });

  test('says in one line what to run where it was not built', () => {
    assert.deepEqual(
      run(installed, scripts.start),
      refused(`run npm ci && npm run build in ${installed} first`),
    );
    assert.deepEqual(
      run(installed, scripts.console),
      refused('the web console is built by development dependencies: run npm ci without --omit=dev first'),
    );
  });
});

/** What Git has of the command line, and with `installed` what npm ci --omit=dev installs. */
function checkoutIn(scope: Scope, { installed = false } = {}): string {
  const checkout = join(temporaryFolder(scope), 'checkout');
  for (const path of ['package.json', 'bin', 'scripts', 'src'])
    cpSync(root(path), join(checkout, path), { recursive: true });
  if (!installed) return checkout;
  const { packages } = readJson('package-lock.json');
  for (const [path, { dev }] of Object.entries<{ dev?: boolean }>(packages))
    if (/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev) {
      mkdirSync(dirname(join(checkout, path)), { recursive: true });
      symlinkSync(root(path), join(checkout, path));
    }
  return checkout;
}

/** A folder with this Node and nothing else. */
function folderOf(scope: Scope, node: string): string {
  const folder = temporaryFolder(scope);
  symlinkSync(node, join(folder, 'node'));
  return folder;
}

/** Runs a command as npm does, but with the Node of this folder. */
function run(checkout: string, command: string, nodes = dirname(process.execPath), env = {}) {
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
    ...spawnOptions({ env: { PATH: `${nodes}:/usr/bin:/bin`, ...env }, cwd: checkout }),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const refused = (message: string, command = '') => {
  const program = command.includes('admin') ? 'keyroster-admin' : 'keyroster';
  return { status: 1, stdout: '', stderr: `${program}: ${message}\n` };
};
