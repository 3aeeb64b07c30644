import assert from 'node:assert/strict';
import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { migrate } from '../../../src/service/sqlite/migrations/migrate.ts';
import { openReader, openWriter } from '../../../src/service/sqlite/store.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { keyroster } from '../../support/command-line.ts';
import { jsonLines, record } from '../../support/import-file.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import { assertFailed } from '../../support/run-many-commands.ts';
import { atEndOf, temporaryFolder } from '../../support/scope.ts';
import { noSmallDisk, smallDisk } from '../../support/small-disk.ts';
import { TEST_ACTOR } from '../../support/store-at.ts';

const DISK_IS_FULL =
  /^keyroster: database: the disk is full: free some space and run it again; nothing was changed\n$/;
/** With long names, more than a small disk has. */
const LINES = 8_000;
const LONG_NAME = 'n'.repeat(1_000);
const ROOMY_MEGABYTES = 256;

test("an import that fills the store's disk fails, changes nothing and takes no space, and succeeds once there is room", {
  skip: noSmallDisk,
}, async t => {
  const disk = smallDisk(t, 8);
  const { args, firstPage, logBytes } = await startedStore(t, disk.folder);
  const before = await firstPage();
  assertFailed(await keyroster(args), 1, DISK_IS_FULL);
  assert.deepEqual((await firstPage())?.items, before?.items);
  assert.equal(logBytes(), 0);
  disk.grow(ROOMY_MEGABYTES);
  const { exitCode, stdout } = await keyroster(args);
  assert.equal(exitCode, 0);
  assert.match(stdout, new RegExp(`^inserted ${LINES}, updated 0, unchanged 0, refused 0, import import_`));
});

test('a disk without inodes is told from one that is full', { skip: noSmallDisk }, async t => {
  const { folder } = smallDisk(t, 8, 8);
  const database = ['--database', `sqlite:${join(folder, 'keyroster.db')}`];
  await keyroster(['migrate', ...database]);
  for (const name of 'abcdef') writeFileSync(join(folder, name), '');
  const noInodes = /: the disk has no inodes left \(df -i\): delete some files\n$/;
  for (const command of [
    ['organizations', 'list'],
    ['organizations', 'create', 'A'],
  ])
    assertFailed(await keyroster([...command, ...database]), 1, noInodes);
  const other = ['--database', `sqlite:${join(folder, 'other.db')}`];
  assertFailed(await keyroster(['migrate', ...other]), 1, noInodes);
});

test('a command that writes leaves no large log behind, such as that of an import which was killed', async t => {
  const folder = temporaryFolder(t);
  const { args, logBytes } = await startedStore(t, folder);
  truncateSync(join(folder, 'keyroster.db-wal'), 65 * 1024 * 1024);
  const created = await keyroster(['organizations', 'create', 'Other', ...args.slice(-2)]);
  assert.equal(created.exitCode, 0);
  assert.equal(logBytes(), 0);
});

/** A store in this folder with some keys, a reader that stays open, and an import too large for a small disk. */
async function startedStore(t: TestContext, folder: string) {
  const file = join(folder, 'keyroster.db');
  await migrate(file, TEST_ACTOR);
  const reader = openReader(file);
  atEndOf(t, () => reader.close());
  const writer = openWriter(file, TEST_ACTOR);
  const { id: organization } = await createOrganization(writer);
  await importKeys(writer, organization, firstKeys(500)); // in the log, as the reader has the file open
  await writer.close();
  const source = join(temporaryFolder(t), 'api-keys.jsonl');
  const lines = Array.from({ length: LINES }, (_, number) => record(`new_${number}`, { name: LONG_NAME }));
  writeFileSync(source, jsonLines(lines));
  return {
    args: ['import', source, '--organization', organization, '--database', `sqlite:${file}`],
    logBytes: () => statSync(`${file}-wal`).size,
    firstPage: () => reader.listApiKeys(organization, { limit: 1000, cursor: null, filter: {} }),
  };
}
