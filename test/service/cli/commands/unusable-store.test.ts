/** The error that each command prints for a store that it can't open. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { runCommand } from '../../../support/run-many-commands.ts';
import { temporaryFolder } from '../../../support/scope.ts';

const commands = [
  ['serve', '--port', '0'],
  ['organizations', 'list'],
  ['admin-keys', 'revoke', 'adminkey_any'],
];

async function assertRefused(file: string, message: RegExp, refused = commands): Promise<void> {
  const before = readFileSync(file);
  await Promise.all(
    refused.map(async args => {
      const { exitCode, stdout, stderr } = await runCommand([...args, '--database', `sqlite:${file}`]);
      assert.deepEqual([exitCode, stdout], [1, '']);
      assert.match(stderr, /^keyroster: database: [^\n]*\n$/);
      assert.match(stderr, message);
      assert.ok(stderr.includes(file));
    }),
  );
  assert.deepEqual(readFileSync(file), before);
}

test('a missing file is refused and not created', async t => {
  const file = join(temporaryFolder(t), 'missing.db');
  const finished = await Promise.all(
    commands.map(args => runCommand([...args, '--database', `sqlite:${file}`])),
  );
  const stderr = `keyroster: database: there is no file ${file}: run "keyroster migrate" to create it\n`;
  assert.deepEqual(
    finished,
    commands.map(() => ({ exitCode: 1, stdout: '', stderr })),
  );
  assert.throws(() => readFileSync(file), { code: 'ENOENT' });
});

test("another program's SQLite file is refused and left unchanged, also by migrate", async t => {
  const file = join(temporaryFolder(t), 'foreign.db');
  const foreign = new DatabaseSync(file);
  foreign.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('theirs')");
  foreign.close();
  await assertRefused(file, /a SQLite file, but not a Keyroster store/, [...commands, ['migrate']]);
});

test('a file that is not a SQLite database is refused and left unchanged, also by migrate', async t => {
  const file = join(temporaryFolder(t), 'notes.txt');
  writeFileSync(file, 'notes, longer than the header of a database file\n'.repeat(100));
  await assertRefused(file, /the file is not a SQLite database/, [...commands, ['migrate']]);
});

test('the schema of a newer release is refused and left unchanged, also by migrate', async t => {
  const { file } = await embeddedStore(t);
  setSchemaVersion(file, 1_000_000);
  await assertRefused(file, /of a newer release .*: update keyroster/, [...commands, ['migrate']]);
});

test('the schema of an older release is refused until migrate has run', async t => {
  const file = join(temporaryFolder(t), 'older.db');
  setSchemaVersion(file, 0);
  await assertRefused(file, /of an older release: run "keyroster migrate"/);
  assert.equal((await runCommand(['migrate', '--database', `sqlite:${file}`])).exitCode, 0);
  assert.equal((await runCommand(['organizations', 'list', '--database', `sqlite:${file}`])).exitCode, 0);
});

/** Marks the file as a Keyroster store of this schema version, and creates it if it is missing. */
function setSchemaVersion(file: string, version: number): void {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA application_id = ${0x4b657952}; PRAGMA user_version = ${version}`);
  database.close();
}

test('what is not a regular file, such as a FIFO or a device, is refused at once, also by migrate and backup', async t => {
  const folder = temporaryFolder(t);
  const fifo = join(folder, 'fifo');
  execFileSync('mkfifo', [fifo]);
  const all = [...commands, ['migrate'], ['backup', join(folder, 'copy')]];
  for (const file of [fifo, '/dev/null', folder]) {
    const finished = await Promise.all(
      all.map(args => runCommand([...args, '--database', `sqlite:${file}`])),
    );
    for (const { exitCode, stderr } of finished) {
      assert.equal(exitCode, 1);
      assert.match(
        stderr,
        /^keyroster: database: can't (open|create) .*: it is not a regular file: give the path of a store\n$/,
      );
    }
  }
});
