import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { embeddedStore } from '../../support/embedded-store.ts';
import { jsonLines, record } from '../../support/import-file.ts';
import { runCommand } from '../../support/run-many-commands.ts';
import { atEndOf, temporaryFolder } from '../../support/scope.ts';
import { noSmallDisk, smallDisk } from '../../support/small-disk.ts';
import { storeAt } from '../../support/store-at.ts';

/** Lines that don't fill blocks exactly, of a little more than the disk has. */
const LINES = 5_000;

test('nothing is imported when the disk has no room for all refused lines', {
  skip: noSmallDisk,
}, async t => {
  const { url, organization } = await embeddedStore(t);
  const refused = Array.from({ length: LINES }, (_, number) => record(`k${number}`, { status: 'unknown' }));
  const source = join(temporaryFolder(t), 'source.jsonl');
  writeFileSync(source, jsonLines([record('k'), ...refused]));
  const rejects = join(smallDisk(t, 1).folder, 'rejects.jsonl');
  const { exitCode, stderr } = await runCommand(
    ['import', source, '--organization', organization, '--rejects', rejects],
    { env: { KEYROSTER_DATABASE_URL: url } },
  );
  assert.equal(exitCode, 1);
  assert.match(stderr, /^keyroster: rejects: can't write .*ENOSPC/m);
  assert.equal(existsSync(rejects), false);
  const writer = await storeAt(url).openWriter();
  atEndOf(t, () => writer.close());
  assert.equal((await writer.findContents(organization)).apiKeys, 0);
});
