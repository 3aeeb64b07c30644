import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { keyroster } from '../../support/command-line.ts';
import { embeddedStore } from '../../support/embedded-store.ts';
import { NEXT_RELEASE } from '../../support/next-release.ts';
import { runCommand, runManyCommands } from '../../support/run-many-commands.ts';
import { atEndOf, temporaryFolder } from '../../support/scope.ts';

const APPLIED = /^applied \d+ migration\(s\)\n$/;
const UP_TO_DATE = 'the schema is up to date\n';

test('migrate creates the folder and the file, and a second run changes nothing', async t => {
  const folder = join(temporaryFolder(t), 'new');
  const file = join(folder, 'folders', 'keyroster.db');
  const env = { KEYROSTER_DATABASE_URL: `sqlite:${file}` };
  const first = await runCommand(['migrate'], { env });
  assert.deepEqual([first.exitCode, first.stderr], [0, '']);
  assert.match(first.stdout, APPLIED);
  for (const path of [folder, dirname(file), file])
    assert.equal(statSync(path).mode & 0o077, 0, `${path} is for its owner alone`);
  assert.deepEqual(await runCommand(['migrate'], { env }), { exitCode: 0, stdout: UP_TO_DATE, stderr: '' });
  assert.equal((await runCommand(['organizations', 'list'], { env })).exitCode, 0);
});

test('of several migrations at the same time one applies the steps and the others find nothing to do', async t => {
  const database = `sqlite:${join(temporaryFolder(t), 'keyroster.db')}`;
  const finished = await Promise.all(
    Array.from({ length: 4 }, () => keyroster(['migrate', '--wait', '60s', '--database', database])),
  );
  const [applied, ...others] = finished.toSorted((a, b) => a.stdout.localeCompare(b.stdout));
  assert.match(String(applied?.stdout), APPLIED);
  for (const each of others) assert.deepEqual(each, { exitCode: 0, stdout: UP_TO_DATE, stderr: '' });
});

test('migrate --plan prints what migrate would do, and makes nothing', async t => {
  const file = join(temporaryFolder(t), 'keyroster.db');
  const env = { KEYROSTER_DATABASE_URL: `sqlite:${file}` };
  const planned = await runCommand(['migrate', '--plan'], { env });
  assert.deepEqual([planned.exitCode, planned.stderr], [0, '']);
  assert.match(planned.stdout, /^(migration \d+\n)+$/);
  assert.equal(existsSync(file), false);
  const { stdout } = await runCommand(['migrate'], { env });
  assert.equal(stdout, `applied ${planned.stdout.split('\n').length - 1} migration(s)\n`);
  assert.equal((await runCommand(['migrate', '--plan'], { env })).stdout, UP_TO_DATE);
});

test('migrate waits for another process that writes to the store, then says who that is, what was done, and exits with 3', async t => {
  const { file, env } = await embeddedStore(t);
  const writer = new DatabaseSync(file);
  atEndOf(t, () => writer.close());
  writer.exec('BEGIN IMMEDIATE');
  const asNextRelease = async (wait: string) => {
    const migrate = [{ args: ['migrate', '--wait', wait], env }];
    const { finished } = await runManyCommands(migrate, { env: NEXT_RELEASE });
    return finished[0];
  };
  const locked = await asNextRelease('1s');
  const advice = 'try again when it is done, or wait longer with --wait; nothing was changed';
  const stderr = `keyroster: database: locked by another process: ${advice}\n`;
  assert.deepEqual(locked, { exitCode: 3, stdout: '', stderr });
  const waiting = asNextRelease('60s');
  setTimeout(() => writer.exec('COMMIT'), 500);
  assert.equal((await waiting)?.stdout, 'applied 2 migration(s)\n');
});
