import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, backup as writeOver } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import { walkRoster } from '../../../src/service/roster/walks.ts';
import { backup } from '../../../src/service/sqlite/backup.ts';
import { openOperatorReader, openReader, openWriter } from '../../../src/service/sqlite/store.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { embeddedStore } from '../../support/embedded-store.ts';
import { importKeys } from '../../support/roster.ts';
import { runCommand } from '../../support/run-many-commands.ts';
import { startSecondWriter } from '../../support/second-writer.ts';
import { TEST_ACTOR } from '../../support/store-at.ts';

const BACKUPS = 4;
/** A file of some megabytes, so that a copy takes a while. */
const KEYS = 5_000;

/** The keys after the import of this number: all renamed, and one more than before. */
const imported = (number: number): ApiKey[] =>
  firstKeys(KEYS + number).map(key => ({ ...key, name: `import ${number}` }));

const filesIn = (folder: string, name: RegExp) => readdirSync(folder).filter(each => name.test(each));

async function recordsIn(file: string, organization: OrganizationId): Promise<{ name: string }[]> {
  const reader = openOperatorReader(file);
  const records: { name: string }[] = [];
  for await (const items of walkRoster(reader, organization))
    records.push(...items.map(({ record }) => JSON.parse(record)));
  await reader.close();
  return records;
}

function assertIntact(file: string): void {
  using database = new DatabaseSync(file, { readOnly: true });
  assert.equal(database.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
  assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), []);
}

test('backups made while another process imports are intact, and contain all of each import or nothing of it', async t => {
  const { url, env, file, folder, organization } = await embeddedStore(t);
  const writer = await startSecondWriter(t, { url }, organization);
  await writer.write(imported(1));
  let writing = true;
  const written = (async () => {
    for (let number = 2; writing; number += 1) await writer.write(imported(number));
  })();
  for (let number = 0; number < BACKUPS; number += 1) {
    const copy = join(folder, `copy-${number}.db`);
    const before = writer.committed();
    const { exitCode, stderr } = await runCommand(['backup', copy], { env });
    assert.deepEqual([exitCode, stderr], [0, '']);
    assertIntact(copy);
    const records = await recordsIn(copy, organization);
    const last = records.length - KEYS;
    assert.deepEqual([...new Set(records.map(({ name }) => name))], [`import ${last}`]);
    assert.ok(last >= before, 'the copy has every import committed before it');
  }
  writing = false;
  await written;
  assert.ok(writer.committed() > 1, 'imports continued during the backups');
  assert.equal((await recordsIn(file, organization)).length, KEYS + writer.committed());
  await writer.stop();
});

test('a backup is one file that only its owner can read, and opens as a writable store', async t => {
  const { file, folder, organization } = await embeddedStore(t);
  const copy = join(folder, 'copy.db');
  const writer = openWriter(file, TEST_ACTOR);
  await importKeys(writer, organization, firstKeys(10));
  await backup(file, copy); // while the import is only in the write-ahead log
  await writer.close();
  assert.equal(statSync(copy).mode & 0o777, 0o600);
  assert.deepEqual(filesIn(folder, /^copy/), ['copy.db']);
  assert.deepEqual(await recordsIn(copy, organization), await recordsIn(file, organization));
  const copyWriter = openWriter(copy, TEST_ACTOR);
  assert.equal((await importKeys(copyWriter, organization, firstKeys(11))).inserted, 1);
  await copyWriter.close();
  assertIntact(copy);
});

test('a backup that SQLite writes over a store in use is not served before it is confirmed', async t => {
  const { file, url, env, folder } = await embeddedStore(t);
  const copy = join(folder, 'copy.db');
  await backup(file, copy);
  const reader = openReader(file);
  await reader.checkReadiness();
  const database = new DatabaseSync(copy);
  await writeOver(database, file);
  database.close();
  for (const _ of ['once', 'again'])
    await assert.rejects(reader.checkReadiness(), /this is a copy of store_/);
  assert.equal((await runCommand(['restore', '--confirm', '--database', url], { env })).exitCode, 0);
  await reader.checkReadiness();
  await reader.close();
});

/** Calls this while a backup is written. */
function during(t: TestContext, act: () => void): void {
  const { prepare } = DatabaseSync.prototype;
  t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
    act();
    return prepare.call(this, sql);
  });
}

test('a file that appears at the destination during the backup is not overwritten', async t => {
  const { file, folder } = await embeddedStore(t);
  const copy = join(folder, 'copy.db');
  during(t, () => writeFileSync(copy, 'theirs'));
  await assert.rejects(backup(file, copy), Refused);
  assert.equal(readFileSync(copy, 'utf8'), 'theirs');
  assert.deepEqual(filesIn(folder, /\.partial$/), []);
});

test('a store that is damaged somewhere is not copied', async t => {
  const { file, folder, organization } = await embeddedStore(t);
  const writer = openWriter(file, TEST_ACTOR);
  await importKeys(writer, organization, firstKeys(KEYS));
  await writer.close();
  const content = readFileSync(file);
  writeFileSync(file, content.fill('damage', content.length / 2, content.length / 2 + 8_192));
  await assert.rejects(backup(file, join(folder, 'copy.db')), /the file is damaged: restore a backup$/);
  assert.deepEqual(filesIn(folder, /^copy/), []);
});

test('the name of the partial file is another each time, and the file is never one that exists', async t => {
  const { file, folder } = await embeddedStore(t);
  const names: string[] = [];
  during(t, () => names.push(...filesIn(folder, /\.partial$/)));
  for (const copy of ['copy.db', 'copy2.db']) await backup(file, join(folder, copy));
  assert.equal(new Set(names).size, 2);
  for (const name of names) assert.match(name, /^copy2?\.db\.[\w-]{22}\.partial$/);
});
