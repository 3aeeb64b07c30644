import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { BINS, keyroster, runNode } from '../../support/command-line.ts';
import { embeddedStore } from '../../support/embedded-store.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';
import { runSql } from '../../support/run-sql.ts';
import { tellFlushed } from '../../support/tell-flushed-folder.ts';
import { noTerminal, onTerminal } from '../../support/terminal.ts';

test('backup copies a store of any schema, since it comes before a migration, but no empty file', async t => {
  const { file: older, env, folder } = await embeddedStore(t);
  await runSql(`sqlite:${older}`, "UPDATE migrations SET digest = 'of another commit'");
  const copy = join(folder, 'copy.db');
  const { exitCode, stderr } = await runCommand(['backup', copy], { env });
  assert.deepEqual([exitCode, stderr], [0, '']);
  const rows = (file: string) => {
    using database = new DatabaseSync(file, { readBigInts: true });
    const { user_version } = database.prepare('PRAGMA user_version').get() ?? {};
    return [user_version, database.prepare('SELECT * FROM api_keys ORDER BY id').all()];
  };
  assert.deepEqual(rows(copy), rows(older));
  new DatabaseSync(join(folder, 'none.db')).exec('VACUUM');
  const none = { KEYROSTER_DATABASE_URL: `sqlite:${join(folder, 'none.db')}` };
  assertFailed(await runCommand(['backup', join(folder, 'x.db')], { env: none }), 1, /is empty|migrate/);
});

test('backup works from a checkout too', async t => {
  const store = await embeddedStore(t);
  const copy = join(store.folder, 'copy.db');
  execFileSync('bin/keyroster', ['backup', copy], { env: { ...process.env, ...store.env } });
  assert.ok(existsSync(copy));
});

test('backup refuses to overwrite a file, including the store itself, and leaves it unchanged', async t => {
  const { env, file, folder } = await embeddedStore(t);
  const copy = join(folder, 'copy.db');
  writeFileSync(copy, 'theirs');
  for (const [existing, content] of [
    [copy, Buffer.from('theirs')],
    [file, readFileSync(file)],
  ] as const) {
    assertFailed(await runCommand(['backup', existing], { env }), 1, /already exists: give another name/);
    assert.deepEqual(readFileSync(existing), content);
  }
  assertFailed(await runCommand(['backup', folder], { env }), 1, /already exists/);
});

test('backup flushes the folder of the copy before it says so, and restore that of the store', async t => {
  const { env, folder } = await embeddedStore(t);
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  const copy = join(backups, 'copy.db');
  const backup = await keyroster(['backup', copy], { env: { ...env, ...tellFlushed(backups) } });
  assert.match(backup.stdout, /^flushed copy\.db copy\.db\.\S+\.partial\nbacked up .*\n$/, backup.stderr);
  const restore = await keyroster(['restore', copy], { env: { ...env, ...tellFlushed(folder) } });
  assert.match(restore.stdout, /^flushed .*\.before-.*\nthe store before is now .*\n/, restore.stderr);
});

test('a backup that there is no room for leaves nothing behind', async t => {
  const { env, file, folder } = await embeddedStore(t);
  const store = new DatabaseSync(file);
  store.exec(`CREATE TABLE large (text TEXT); INSERT INTO large
    SELECT hex(randomblob(2000)) FROM (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 4000) SELECT i FROM n)`);
  store.close();
  const args = ['backup', join(folder, 'copy.db')];
  const limited = 'ulimit -f 8192; exec "$0" "$@"'; // 4 MB: by this any user can make writing fail
  const command = ['-c', limited, process.execPath, BINS.keyroster, ...args];
  const failed = await runNode(command, { env, node: 'sh' });
  assertFailed(failed, 1, /^keyroster: backup: can't write .*copy\.db: the disk failed .* \(ulimit -f\)\n$/);
  assert.deepEqual(
    readdirSync(folder).filter(name => /copy/.test(name)),
    [],
  );
});

test('backup and restore show on a terminal how much is copied, and leave only what they say', {
  skip: noTerminal,
}, async t => {
  const { env, file, folder } = await embeddedStore(t);
  const numbers = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 128)';
  await runSql(`sqlite:${file}`, `CREATE TABLE large AS ${numbers} SELECT zeroblob(1000000) FROM n`);
  const copy = join(folder, 'copy.db');
  for (const [command, said] of [
    ['backup', /^backed up store_\w+ to .*copy\.db\r\n$/],
    ['restore', /^the store before is now .*\r\nall that ended since is repeated\r\n$/],
  ] as const) {
    const drawn = (await onTerminal([command, copy], env, { columns: 300 })).split('\r\x1b[K');
    assert.match(drawn.at(-2) ?? '', /^copying \[#*\.*\] \d+ %: \d+ MB/);
    assert.match(drawn.at(-1) ?? '', said);
  }
});
