/** The ways of docs/installing.md that need the registry of npm, in the oldest and the latest Node that the command runs on. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { VERSION } from '../../src/shared/version.ts';
import { runNode } from '../support/command-line.ts';
import { install, packPackages } from '../support/installed-package.ts';
import { OLDEST_FOR_ADMIN } from '../support/older-node.ts';
import { OPERATED, operate } from '../support/operate.ts';
import { suiteScope, temporaryFolder } from '../support/scope.ts';
import { numberedKeys, startSeededService } from '../support/seeded-service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

describe('the program, installed as docs/installing.md shows', () => {
  const scope = suiteScope();
  const folder = temporaryFolder(scope);
  let tarball: string;
  let ofAdmin: string;
  before(async () => {
    const { keyroster, admin } = await packPackages(folder);
    [tarball, ofAdmin] = [join(folder, keyroster.filename), join(folder, admin.filename)];
  });

  test('runs by npx from the package, without being installed', async t => {
    const args = ['--yes', '--package', tarball, 'keyroster', '--version'];
    const { stdout } = await run('npx', args, { cwd: temporaryFolder(t) });
    assert.equal(stdout, `${VERSION}\n`);
  });

  for (const version of ['24.7.0', '24', '26'])
    test(`by npm install --global is operated by an ordinary user with Node ${version}`, async t => {
      const prefix = temporaryFolder(t);
      const runtime = `node-${process.platform}-${process.arch}@${version}`;
      const missing = await install(prefix, ['--global', '--prefix', prefix, runtime, tarball, ofAdmin]);
      if (missing) return t.skip(missing);
      const node = join(prefix, 'bin/node');
      const [keyroster, admin] = [join(prefix, 'bin/keyroster'), join(prefix, 'bin/keyroster-admin')];
      const commands = { keyroster, 'keyroster-admin': admin };
      assert.match((await operate(t, { commands, readable: [prefix], node })).printed, OPERATED);
    });

  test('by npm install --global is used by an admin with the oldest Node that it says it needs', async t => {
    const prefix = temporaryFolder(t);
    const runtime = `node-${process.platform}-${process.arch}@${OLDEST_FOR_ADMIN}.0`;
    const missing = await install(prefix, ['--global', '--prefix', prefix, runtime, ofAdmin]);
    if (missing) return t.skip(missing);
    const { service, secret } = await startSeededService(t, numberedKeys(3));
    const env = { KEYROSTER_BASE_URL: service.url, KEYROSTER_ADMIN_KEY: secret };
    const path = join(prefix, 'lib/node_modules/@keyroster/admin/dist/admin/cli/bin.js');
    const admin = (args: readonly string[], input = '') =>
      runNode([path, ...args], { node: join(prefix, 'bin/node'), cwd: prefix, env, input });
    const { stdout: roster, stderr } = await admin(['list', '--all', '--format', 'jsonl']);
    assert.deepEqual([roster.split('\n').length, stderr], [3 + 1, '']);
    assert.match((await admin(['report'])).stdout, /^3 keys, /m);
    assert.equal((await admin(['diff', '-'], roster)).exitCode, 0);
  });

  test('is served by npm start from a checkout that was built, then installed without development dependencies', async t => {
    const checkout = join(temporaryFolder(t), 'checkout');
    await run('git', ['clone', '--quiet', ROOT, checkout]);
    const npm = (...args: string[]) => run('npm', args, { cwd: checkout });
    await npm('ci', '--no-audit');
    await npm('run', 'build');
    await npm('ci', '--omit=dev', '--no-audit');
    const { stdout } = await npm('run', '-s', 'keyroster', '--', 'migrate');
    assert.match(stdout, /^applied \d+ migration\(s\)\n$/);
    const { stdout: help } = await npm('start', '--', '--help');
    assert.match(help, /^Usage: keyroster serve/m);
  });
});
