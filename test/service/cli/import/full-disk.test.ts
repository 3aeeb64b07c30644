import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { OrganizationId } from '../../../../src/shared/record/identifier.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { jsonLines, record } from '../../../support/import-file.ts';
import { ALL } from '../../../support/roster.ts';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';
import { atEndOf, type Scope, temporaryFolder } from '../../../support/scope.ts';
import { noSmallDisk, smallDisk } from '../../../support/small-disk.ts';
import { storeAt } from '../../../support/store-at.ts';

/** Lines that don't fill blocks exactly, of a little more than the disk has. */
const LINES = 5_000;

/** Runs a command that reads this file and writes to a disk with too little room, and gives what is left there. */
async function onSmallDisk(
  t: Scope,
  lines: (id: OrganizationId) => object[],
  command: (...files: string[]) => string[],
) {
  const { url, organization } = await embeddedStore(t);
  const source = join(temporaryFolder(t), 'source.jsonl');
  writeFileSync(source, jsonLines(lines(organization)));
  const written = join(smallDisk(t, 1).folder, 'written.jsonl');
  const env = { KEYROSTER_DATABASE_URL: url };
  const finished = await runCommand(command(source, written, organization), { env });
  assert.equal(existsSync(written), false);
  const writer = await storeAt(url).openWriter();
  atEndOf(t, () => writer.close());
  return { ...finished, writer, organization };
}

test('admin keys are not made when the disk has no room for all of their secrets', {
  skip: noSmallDisk,
}, async t => {
  const { writer, organization, ...made } = await onSmallDisk(
    t,
    organization_id =>
      Array.from({ length: LINES }, (_, number) => ({ organization_id, name: `key ${number}` })),
    (from = '', to = '') => ['admin-keys', 'create', '--from', from, '--to', to],
  );
  assertFailed(made, 1, /^keyroster: --to: can't write .*ENOSPC/);
  assert.equal((await writer.listAdminKeys(organization, ...ALL)).length, 1);
});

test('nothing is imported when the disk has no room for all refused lines', {
  skip: noSmallDisk,
}, async t => {
  const refused = Array.from({ length: LINES }, (_, number) => record(`k${number}`, { status: 'unknown' }));
  const { writer, organization, exitCode, stderr } = await onSmallDisk(
    t,
    () => [record('k'), ...refused],
    (from = '', to = '', id = '') => ['import', from, '--organization', id, '--rejects', to],
  );
  assert.equal(exitCode, 1);
  assert.match(stderr, /^keyroster: rejects: can't write .*ENOSPC/m);
  assert.equal((await writer.findContents(organization)).apiKeys, 0);
});
