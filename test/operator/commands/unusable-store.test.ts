/** The error that each command prints for a store that it can't open. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';
import { temporaryFolder } from '../../support/scope.ts';

const commands = [
  ['serve', '--port', '0'],
  ['organizations', 'list'],
  ['admin-keys', 'revoke', 'adminkey_any'],
];

async function assertRefused(file: string, message: RegExp, refused = commands): Promise<void> {
  const before = readFileSync(file);
  for (const args of refused) {
    const finished = await runCommand([...args, '--database', `sqlite:${file}`]);
    assertFailed(finished, 1, /^keyroster: database: /);
    assert.match(finished.stderr, message);
    assert.ok(finished.stderr.includes(file));
  }
  assert.deepEqual(readFileSync(file), before);
}

test('a missing file is refused and not created', async t => {
  const file = join(temporaryFolder(t), 'missing.db');
  const stderr = `keyroster: database: there is no file ${file}: "keyroster migrate" makes a new store, and "keyroster restore" brings a lost one back (docs/runbooks.md)\n`;
  for (const args of commands)
    assert.deepEqual(await runCommand([...args, '--database', `sqlite:${file}`]), {
      exitCode: 1,
      stdout: '',
      stderr,
    });
  assert.equal(existsSync(file), false);
});

test('a file of another program, and one that is no SQLite database, is refused and left unchanged, also by migrate', async t => {
  const folder = temporaryFolder(t);
  const [foreign, notes] = [join(folder, 'foreign.db'), join(folder, 'notes.txt')];
  using database = new DatabaseSync(foreign);
  database.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('theirs')");
  writeFileSync(notes, 'notes, longer than the header of a database file\n'.repeat(100));
  await assertRefused(foreign, /a SQLite file, but not a Keyroster store/, [...commands, ['migrate']]);
  await assertRefused(notes, /the file is not a SQLite database/, [...commands, ['migrate']]);
});

test('a file whose texts are UTF-16 is refused, as pages are the bytes that are stored', async t => {
  const file = join(temporaryFolder(t), 'utf-16.db');
  using database = new DatabaseSync(file);
  database.exec("PRAGMA encoding = 'UTF-16'; CREATE TABLE made (id TEXT); DROP TABLE made");
  await assertRefused(file, /the texts in .* are UTF-16\w\w, and a store has UTF-8/, [
    ...commands,
    ['migrate'],
  ]);
});

test('what is not a regular file, such as a FIFO or a device, is refused at once, also by migrate and backup', async t => {
  const folder = temporaryFolder(t);
  const fifo = join(folder, 'fifo');
  execFileSync('mkfifo', [fifo]);
  const all = [...commands, ['migrate'], ['backup', join(folder, 'copy')]];
  const message = /: database: can't (open|create) .*: it is not a regular file: give the path of a store\n$/;
  for (const file of [fifo, '/dev/null', folder])
    for (const args of all)
      assertFailed(await runCommand([...args, '--database', `sqlite:${file}`]), 1, message);
});
