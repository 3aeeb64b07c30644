/** A store that another process has locked, for longer than a command waits. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { type Finished, keyroster } from '../../support/command-line.ts';
import { embeddedStore } from '../../support/embedded-store.ts';
import { importContent, jsonLines, record } from '../../support/import-file.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';
import { atEndOf, type Scope } from '../../support/scope.ts';

function locked(scope: Scope, file: string, lock = ''): DatabaseSync {
  const database = new DatabaseSync(file);
  atEndOf(scope, () => database.close());
  database.exec(`${lock}; BEGIN IMMEDIATE`);
  return database;
}

// The tests run at the same time, since a command waits 5 seconds for a lock. Together they run four commands at
// once, the most that `keyroster` allows.
describe('a locked store', { concurrency: 2 }, () => {
  test('while another process writes, commands that write fail in one line, and commands that read work', async t => {
    const store = await embeddedStore(t);
    const { env, file, folder, organization } = store;
    await importContent(store, jsonLines([record('k1')]));
    const other = locked(t, file);
    const inOrganization = ['--organization', organization];
    const finished = await Promise.all([
      importContent(store, jsonLines([record('k1'), record('k2')])),
      runCommand(['set-status', 'archived', 'k1', ...inOrganization, '--wait', '1s'], { env }),
      runCommand(['organizations', 'create', 'Other'], { env: { ...env, KEYROSTER_WAIT: '1s' } }),
    ]);
    for (const each of finished)
      assertFailed(each, 3, /locked by another process: try again .* --wait; nothing/);

    const reading = [
      ['organizations', 'list'],
      ['export', ...inOrganization],
      ['backup', join(folder, 'copy.db')],
    ];
    for (const { exitCode, stderr } of await Promise.all(reading.map(args => runCommand(args, { env }))))
      assert.deepEqual([exitCode, stderr], [0, '']);
    assert.deepEqual(await store.records(), [record('k1')]);
    other.exec('ROLLBACK');
    assert.equal((await importContent(store, jsonLines([record('k2')]))).exitCode, 0);
  });

  test('a command that writes to a restored backup, which has no log yet, says the same; one that reads does not wait', async t => {
    const { env, folder, organization } = await embeddedStore(t);
    const restored = join(folder, 'restored.db');
    await runCommand(['backup', restored], { env });
    locked(t, restored);
    const database = ['--database', `sqlite:${restored}`];
    const [writing, reading] = await Promise.all([
      runCommand(['organizations', 'create', 'Other', '--wait', '1s', ...database]),
      runCommand(['organizations', 'list', ...database]),
    ]);
    assertFailed(writing, 3, /^keyroster: database: locked by .* --wait; nothing was changed\n$/);
    assert.deepEqual([reading.exitCode, reading.stdout.split('\t')[0]], [0, organization], reading.stderr);
  });

  test('a command that writes waits for --wait, and then has its turn', async t => {
    const { env, file, organization } = await embeddedStore(t);
    const other = locked(t, file);
    const waiting = keyroster(['organizations', 'create', 'Other', '--id', 'org_other', '--wait', '60s'], {
      env,
    });
    const reading = await runCommand(['export', '--organization', organization], { env });
    assert.equal(reading.exitCode, 0);
    other.exec('COMMIT');
    assert.deepEqual(await waiting, { exitCode: 0, stdout: 'org_other\n', stderr: '' });
  });

  test('while another process has an exclusive lock, every command fails in one line', async t => {
    const { env, file, folder, organization } = await embeddedStore(t);
    const other = locked(t, file, 'PRAGMA locking_mode = EXCLUSIVE');
    other.exec("INSERT INTO organizations (id, name, created_at) VALUES ('o', 'o', 0)");
    const commands = [
      ['organizations', 'create', 'Other', '--wait', '1s'],
      ['export', '--organization', organization],
      ['backup', join(folder, 'copy.db')],
    ];
    const finished = await Promise.all(commands.map(args => keyroster(args, { env })));
    for (const [index, args] of commands.entries()) {
      const advice = args.includes('--wait') ? ', or wait longer with --wait' : '';
      const message = `: locked by .*: try again when it is done${advice}; nothing was changed\n$`;
      assertFailed(finished[index] as Finished, 3, new RegExp(message));
    }
  });
});
