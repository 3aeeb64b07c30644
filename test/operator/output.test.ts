/** What a command does when its output can't be written. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { programOf } from '../support/command-line.ts';
import { suiteScope } from '../support/scope.ts';
import { numberedKeys, type SeededService, startSeededService } from '../support/seeded-service.ts';
import { bash, shellCommand } from '../support/terminal.ts';

const noFullDisk = existsSync('/dev/full') ? false : 'needs /dev/full';

describe('standard output', () => {
  const scope = suiteScope();
  let listed: SeededService;
  let env: Record<string, string>;
  before(async () => {
    listed = await startSeededService(scope, numberedKeys(45));
    env = {
      KEYROSTER_BASE_URL: listed.service.url,
      KEYROSTER_ADMIN_KEY: listed.secret,
      KEYROSTER_DATABASE_URL: listed.database,
    };
  });
  const lines = () => [
    ['list', '--limit', '45'],
    ['report', '--format', 'html'],
    ['export', '--organization', listed.organization],
  ];

  test('on a full disk ends the command with one clear line', { skip: noFullDisk }, async () => {
    for (const line of lines()) {
      const { stderr, status } = await bash(`${shellCommand(line)} > /dev/full`, env);
      assert.equal(
        stderr,
        `${programOf(line)}: can't write to standard output: ENOSPC: no space left on device, write\n`,
        `${line}`,
      );
      assert.equal(status, 1);
    }
  });

  test('whose reader leaves ends the command silently, and is no failure', async () => {
    for (const line of lines()) {
      const { stderr, stdout } = await bash(
        `${shellCommand(line)} | head -c 1 > /dev/null; echo "\${PIPESTATUS[0]}"`,
        env,
      );
      assert.deepEqual({ stdout, stderr }, { stdout: '0\n', stderr: '' }, `${line}`);
    }
  });

  test('whose reader leaves hides no broken policy: the exit code is 4', async () => {
    for (const format of ['table', 'html']) {
      const report = shellCommand(['report', '--max-age', '3d', '--format', format]);
      const { stdout } = await bash(`${report} | head -n 3 > /dev/null; echo "\${PIPESTATUS[0]}"`, env);
      assert.equal(stdout, '4\n');
    }
  });

  test('is written although standard error is full', { skip: noFullDisk }, async () => {
    const { stdout, status } = await bash(`${shellCommand(['list'])} 2> /dev/full`, env);
    assert.equal(stdout.split('\n').length, 21);
    assert.equal(status, 0);
  });
});
