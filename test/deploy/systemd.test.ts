import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { DRAIN_TIMEOUT_MS, LINGER_MS } from '../../src/service/server/limits.ts';
import { assertFailed, runCommand } from '../support/run-many-commands.ts';
import { type Scope, temporaryFolder } from '../support/scope.ts';

const DEPLOY = fileURLToPath(new URL('../../deploy', import.meta.url));
const PROGRAM = '/opt/keyroster/bin/node';
const noSystemd = spawnSync('systemd-analyze', ['--version']).status !== 0 && 'needs systemd-analyze';
const units = globSync('*.{service,timer}', { cwd: DEPLOY }).sort();
const services = units.filter(name => name.endsWith('.service'));
const fileOf = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');
const settingOf = (unit: string, name: string) =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(fileOf(unit))?.[1] ?? '';

/** With programs that every machine has, as systemd looks whether they exist. */
function analyze(scope: Scope, names: readonly string[], ...args: readonly string[]) {
  const folder = temporaryFolder(scope);
  const files = names.map(name => {
    const file = join(folder, name);
    writeFileSync(file, fileOf(name).replaceAll(PROGRAM, '/bin/sh').replace('/usr/bin/rsync', '/bin/sh'));
    return file;
  });
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, ...files], { encoding: 'utf8' });
  return { status, printed: stdout + stderr };
}

describe('the units in deploy/', () => {
  test('are units that systemd understands', { skip: noSystemd }, t => {
    assert.deepEqual(analyze(t, units, 'verify', '--man=no'), { status: 0, printed: '' });
  });

  for (const name of services)
    test(`${name} has an exposure under 2.0 of 10`, { skip: noSystemd }, t => {
      const args = ['security', '--offline=true', '--threshold=20', '--no-pager'];
      const { status, printed } = analyze(t, [name], ...args);
      assert.match(printed, /Overall exposure level/);
      assert.equal(status, 0, printed);
    });

  test('run as one user, with the same settings, and tell it in the same journal', () => {
    for (const name of services)
      for (const setting of [
        'User',
        'Group',
        'Environment',
        'EnvironmentFile',
        'StateDirectory',
        'LogNamespace',
      ])
        if (setting !== 'Environment' || name !== 'keyroster-feed.service')
          // it has an actor of its own
          assert.equal(
            settingOf(name, setting),
            settingOf('keyroster.service', setting),
            `${name}: ${setting}`,
          );
  });

  test('start Node itself, and come back however often they have failed', () => {
    for (const name of ['keyroster.service', 'keyroster@.service', 'keyroster-feed.service']) {
      assert.match(fileOf(name), /^\[Unit\]\n(?:.+\n)*StartLimitIntervalSec=0\n/m, name);
      assert.equal(settingOf(name, 'Restart'), 'always');
      assert.match(
        settingOf(name, 'ExecStart'),
        /(^|exec )\/opt\/keyroster\/bin\/node (--\S+ )?\/opt\/keyroster\/bin\/keyroster (serve|feed)\b/,
      );
    }
  });

  test('give the service the time that its stop takes, and its lines no limit of their rate', () => {
    for (const name of ['keyroster.service', 'keyroster@.service']) {
      assert.equal(settingOf(name, 'KillMode'), 'mixed');
      assert(Number(settingOf(name, 'TimeoutStopSec')) * 1000 > LINGER_MS + DRAIN_TIMEOUT_MS);
      assert.equal(settingOf(name, 'LogRateLimitIntervalSec'), '0');
    }
    assert.match(fileOf('journald.conf'), /^RateLimitBurst=0$/m);
  });

  test('are the same for one service and for several, but for ports and the folder of a socket', () => {
    const linesOf = (name: string) =>
      fileOf(name)
        .split('\n')
        .filter(line => !/^(#|Description|Runtime)/.test(line));
    const several = linesOf('keyroster@.service').map(line =>
      line.replace(' --port %i --metrics-port 1%i', ''),
    );
    assert.deepEqual(several, linesOf('keyroster.service'));
  });
});

test('deploy/tmpfiles.conf gives each file that it names its place, and each unit', () => {
  const sources = [
    ...fileOf('tmpfiles.conf').matchAll(/ \/opt\/keyroster\/lib\/node_modules\/keyroster\/deploy\/(\S+)$/gm),
  ];
  const named = sources.map(([, name = '']) => name);
  for (const name of named) fileOf(name);
  assert.deepEqual(named.filter(name => units.includes(name)).sort(), units);
});

test('deploy/keyroster.env has settings that are right, of the folder that tmpfiles.conf makes', async () => {
  const env = parseEnv(fileOf('keyroster.env')) as Record<string, string>;
  const noStore = /^keyroster: database: there is no file \/var\/lib\/keyroster\/keyroster\.db: .*\n$/;
  assertFailed(await runCommand(['serve'], { env }), 1, noStore);
  assert.match(fileOf('tmpfiles.conf'), /^d \/var\/lib\/keyroster 0700 keyroster keyroster$/m);
  assert(fileOf('keyroster-command').includes(`. ${settingOf('keyroster.service', 'EnvironmentFile')}\n`));
});

test('deploy/keyroster-feed.service writes into the folder that it has, in a file that no message gets into', () => {
  assert(settingOf('keyroster-feed.service', 'ExecStart').includes(' >> /var/log/keyroster/'));
  assert.equal(settingOf('keyroster-feed.service', 'LogsDirectory'), 'keyroster');
  assert.equal(settingOf('keyroster-feed.service', 'StandardError'), 'journal');
});
