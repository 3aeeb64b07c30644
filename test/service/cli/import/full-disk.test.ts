import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertFailed } from '../../../support/assert-failed.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { jsonLines, record } from '../../../support/import-file.ts';
import { ALL, createOrganization } from '../../../support/roster.ts';
import { runCommand } from '../../../support/run-many-commands.ts';
import { temporaryFolder } from '../../../support/scope.ts';
import { noSmallDisk, smallDisk } from '../../../support/small-disk.ts';
import { storeAt } from '../../../support/store-at.ts';

/** Lines that don't fill blocks exactly, of a little more than the disk has. */
const LINES = 5_000;

test('admin keys are not made when the disk has no room for all of their secrets', {
  skip: noSmallDisk,
}, async t => {
  const { url } = await embeddedStore(t);
  const writer = await storeAt(url).openWriter();
  t.after(() => writer.close());
  const { id } = await createOrganization(writer);
  const wanted = join(temporaryFolder(t), 'wanted.jsonl');
  writeFileSync(
    wanted,
    jsonLines(Array.from({ length: LINES }, (_, number) => ({ organization_id: id, name: `key ${number}` }))),
  );
  const secrets = join(smallDisk(t, 1).folder, 'secrets.jsonl');
  const made = await runCommand([
    'admin-keys',
    'create',
    '--from',
    wanted,
    '--to',
    secrets,
    '--database',
    url,
  ]);
  assertFailed(made, 1, /^keyroster: --to: can't write .*ENOSPC/);
  assert.equal((await writer.listAdminKeys(id, ...ALL)).length, 1);
  assert.equal(existsSync(secrets), false);
});

test('nothing is imported when the disk has no room for all refused lines', {
  skip: noSmallDisk,
}, async t => {
  const { url } = await embeddedStore(t);
  const writer = await storeAt(url).openWriter();
  t.after(() => writer.close());
  const { id } = await createOrganization(writer);
  const source = join(temporaryFolder(t), 'api-keys.jsonl');
  const refused = Array.from({ length: LINES }, (_, number) => ({
    ...record(`k${number}`),
    status: 'unknown',
  }));
  writeFileSync(source, jsonLines([record('k'), ...refused]));
  const rejects = join(smallDisk(t, 1).folder, 'rejects.jsonl');
  const imported = await runCommand([
    'import',
    source,
    '--organization',
    id,
    '--rejects',
    rejects,
    '--database',
    url,
  ]);
  assert.equal(imported.exitCode, 1);
  assert.match(imported.stderr, /^keyroster: rejects: can't write .*ENOSPC/m);
  const page = await writer.listApiKeys(id, { limit: 1, cursor: null, filter: {} });
  assert.deepEqual(page?.items, []);
  assert.equal(existsSync(rejects), false);
});
