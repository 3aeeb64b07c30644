import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseEnv } from 'node:util';
import { DRAIN_TIMEOUT_MS, LINGER_MS } from '../../src/service/server/limits.ts';
import { blocksIn } from '../support/doc-blocks.ts';
import { assertFailed, runCommand } from '../support/run-many-commands.ts';
import { type Scope, temporaryFolder } from '../support/scope.ts';

const noSystemd = spawnSync('systemd-analyze', ['--version']).status !== 0 && 'needs systemd-analyze';
const unitOf = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');
const settingsOf = (unit: string) => (name: string) =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
const setting = settingsOf(unitOf('keyroster.service'));

/** With a program that every machine has, as systemd looks whether it exists. */
function analyze(scope: Scope, names: readonly string[], ...args: readonly string[]) {
  const folder = temporaryFolder(scope);
  const files = names.map(name => {
    const file = join(folder, name);
    writeFileSync(file, unitOf(name).replace('/opt/keyroster/bin/node', '/bin/sh'));
    return file;
  });
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, ...files], { encoding: 'utf8' });
  return { status, printed: stdout + stderr };
}

for (const service of ['keyroster.service', 'keyroster-backup.service', 'keyroster-feed.service'])
  describe(`deploy/${service}`, () => {
    test('is a unit that systemd understands', { skip: noSystemd }, t => {
      const names = [service, ...(service.includes('backup') ? ['keyroster-backup.timer'] : [])];
      assert.deepEqual(analyze(t, names, 'verify', '--man=no'), { status: 0, printed: '' });
    });

    test('has an exposure under 2.0 of 10', { skip: noSystemd }, t => {
      const args = ['security', '--offline=true', '--threshold=20', '--no-pager'];
      const { status, printed } = analyze(t, [service], ...args);
      assert.match(printed, /Overall exposure level/);
      assert.equal(status, 0, printed);
    });
  });

describe('deploy/keyroster.service', () => {
  test('has the paths that docs/production.md installs, with settings that are right', async () => {
    const blocks = blocksIn('docs/production.md').map(({ text }) => text);
    const [, prefix] = /^npm install --global --prefix (\S+) /m.exec(blocks.join('')) ?? [];
    const [, settings, text = ''] =
      /^cat > (\S+) <<'END'\n(KEYROSTER_.*?)^END$/ms.exec(blocks.join('')) ?? [];
    assert(setting('ExecStart').startsWith(`${prefix}/bin/node `));
    assert(setting('ExecStart').includes(` ${prefix}/lib/node_modules/keyroster/dist/operator/bin.js `));
    assert.equal(setting('EnvironmentFile'), settings);
    assert(blocks.some(block => block.includes(`\nset -a && . ${settings}\n`)));
    const noStore = /^keyroster: database: there is no file \/var\/lib\/keyroster\/keyroster\.db: .*\n$/;
    assertFailed(await runCommand(['serve'], { env: parseEnv(text) as Record<string, string> }), 1, noStore);
  });

  test('starts Node itself, and gives it the time that its stop takes', () => {
    assert.match(
      setting('ExecStart'),
      /^\/opt\/keyroster\/bin\/node (--\S+ )*\/opt\/keyroster\/\S+\/dist\/service\/cli\/bin\.js serve$/,
    );
    assert.equal(setting('KillMode'), 'mixed');
    assert(Number(setting('TimeoutStopSec')) * 1000 > LINGER_MS + DRAIN_TIMEOUT_MS);
  });
});

test('deploy/keyroster-backup.service runs in a shell of systemd as keyroster.service does, into the folder of docs/production.md', () => {
  const backup = settingsOf(unitOf('keyroster-backup.service'));
  for (const name of ['User', 'Group', 'Environment', 'EnvironmentFile', 'StateDirectory'])
    assert.equal(backup(name), setting(name), name);
  const [program = ''] = / (\/opt\/keyroster\/lib\S+) /.exec(setting('ExecStart')) ?? [];
  assert(backup('ExecStart').includes(program));
  const folder = backup('ReadWritePaths');
  assert(backup('ExecStart').includes(` backup ${folder}/`));
  assert(blocksIn('docs/production.md').some(({ text }) => text.includes(` /var/lib/keyroster ${folder}\n`)));
});

test('deploy/keyroster-feed.service has the folder that its output is written into, in a file that no message gets into', () => {
  const feed = settingsOf(unitOf('keyroster-feed.service'));
  for (const name of ['User', 'Group', 'StateDirectory']) assert.equal(feed(name), setting(name), name);
  const [, program] = / (\/opt\/keyroster\/lib\S+) /.exec(setting('ExecStart')) ?? [];
  assert(feed('ExecStart').includes(`${program} feed --follow `));
  assert(feed('ExecStart').includes(` >> /var/log/${feed('LogsDirectory')}/`));
  assert.equal(feed('StandardError'), 'journal');
});

test('deploy/keyroster.service lets the journal take a line for each request', () => {
  const [lines, every] = [setting('LogRateLimitBurst'), setting('LogRateLimitIntervalSec')];
  assert.deepEqual([lines, every], ['100000', '1s']);
});
