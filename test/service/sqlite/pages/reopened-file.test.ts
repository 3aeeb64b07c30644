import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, renameSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { callerOf } from '../../../support/http.ts';
import { importContent, jsonLines, record } from '../../../support/import-file.ts';
import { runCommand } from '../../../support/run-many-commands.ts';
import { atEndOf, type Scope, temporaryFolder } from '../../../support/scope.ts';
import { serveStore } from '../../../support/service.ts';
import { storeAt } from '../../../support/store-at.ts';

/** A service over a link to a store with a key, which has answered a request. */
async function served(t: Scope) {
  const store = await embeddedStore(t);
  await importContent(store, jsonLines([record('key_0')]));
  const link = join(temporaryFolder(t), 'link.db');
  symlinkSync(store.file, link);
  const service = await serveStore(t, storeAt(`sqlite:${link}`));
  const caller = callerOf(service.port, store.secret);
  atEndOf(t, () => caller.close());
  const list = async () => {
    await wait(15); // longer than the file may go unchecked
    return caller.send();
  };
  const assertUnavailable = async (why: RegExp) => {
    const { status, body, headers } = await list();
    assert.equal(status, 503);
    assert.equal(body.error.type, 'api_error');
    assert.ok(Number(headers['retry-after']) > 0);
    assert.match(service.logText(), why);
    assert.equal((await caller.send({ path: '/healthz' })).status, 200);
    assert.equal((await caller.send({ path: '/readyz' })).status, 503);
  };
  const assertServed = async () => {
    assert.match((await list()).text, /"id":"key_0"/);
    assert.equal((await caller.send({ path: '/readyz' })).status, 200);
  };
  /** A commit that stays in the log, as the service has the store open. */
  const commit = () => importContent(store, jsonLines([record('key_0', { name: 'renamed' })]));
  await assertServed();
  return { ...store, service, list, assertUnavailable, assertServed, commit };
}

const LOST = [['-wal'], ['-shm'], ['-wal', '-shm']];

const away = (file: string) => `${file}.away`;

/** A store with the key `other`. */
async function otherStore(t: Scope) {
  const other = await embeddedStore(t);
  await importContent(other, jsonLines([record('other')]));
  return other;
}

describe('a store that is served', () => {
  test('and moved away makes the service answer 503 and not ready, until it is back', async t => {
    const { file, commit, assertUnavailable, assertServed } = await served(t);
    await commit();
    renameSync(file, away(file));
    await assertUnavailable(/there is no file .*: put it back/);
    renameSync(away(file), file);
    await assertServed();
  });

  test('is refused while nobody may read it', async t => {
    const { file, assertUnavailable, assertServed } = await served(t);
    chmodSync(file, 0);
    await assertUnavailable(/can't be read: check its owner and its mode/);
    chmodSync(file, 0o600);
    await assertServed();
  });

  test('is refused while it is empty, and its log is kept', async t => {
    const { file, env, commit, assertUnavailable, assertServed } = await served(t);
    await commit();
    execFileSync('cp', [file, away(file)]); // this process would lose SQLite's locks
    truncateSync(file);
    await assertUnavailable(/is empty: restore it/);
    const { exitCode, stderr } = await runCommand(['organizations', 'list'], { env });
    assert.equal(exitCode, 1);
    assert.match(stderr, /is empty: restore it/);
    assert.ok(statSync(`${file}-wal`).size > 0);
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix);
    renameSync(away(file), file);
    await assertServed();
  });

  test('and replaced by another store serves that, and nothing of the previous one, until that is back', async t => {
    const { file, service, list, assertServed } = await served(t);
    const other = await otherStore(t);
    renameSync(file, away(file));
    renameSync(other.file, file);
    assert.equal((await list()).status, 401);
    const { body } = await service.list(other.secret);
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      ['other'],
    );
    renameSync(away(file), file);
    await assertServed();
  });

  test('and replaced by a damaged one makes the service answer 503, until it is back', async t => {
    const { file, assertUnavailable, assertServed } = await served(t);
    renameSync(file, away(file));
    execFileSync('cp', [away(file), file]);
    execFileSync('dd', ['if=/dev/urandom', `of=${file}`, 'bs=4096', 'seek=1', 'count=20', 'conv=notrunc']);
    await assertUnavailable(/the file is damaged: restore a backup/);
    renameSync(away(file), file);
    await assertServed();
  });

  test('is refused when it is replaced beside its log, until that is removed', async t => {
    const { file, commit, list, service, assertUnavailable } = await served(t);
    await commit();
    const other = await otherStore(t);
    renameSync(file, away(file));
    await assertUnavailable(/there is no file/);
    renameSync(other.file, file);
    for (let times = 0; times < 3; times++)
      await assertUnavailable(/the file was replaced beside the -wal file of the previous one/);
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix);
    assert.equal((await list()).status, 401);
    assert.equal((await service.list(other.secret)).status, 200);
  });

  test('and replaced by another one with its own log serves all of that', async t => {
    const { file, commit, list, service } = await served(t);
    await commit();
    const other = await otherStore(t);
    const reader = await storeAt(other.url).openReader();
    atEndOf(t, () => reader.close());
    await importContent(other, jsonLines([record('other', { name: 'in the log' })]));
    assert.ok(statSync(`${other.file}-wal`).size > 0);
    for (const suffix of ['-wal', '-shm', '']) renameSync(other.file + suffix, file + suffix);
    assert.equal((await list()).status, 401);
    assert.equal((await service.list(other.secret)).body.data[0].name, 'in the log');
  });

  for (const gone of LOST)
    test(`is refused while ${gone.join(' and ')} is gone`, async t => {
      const { file, commit, assertUnavailable, assertServed } = await served(t);
      await commit();
      for (const suffix of gone) renameSync(file + suffix, away(file + suffix));
      for (let times = 0; times < 3; times++)
        await assertUnavailable(/its -wal or -shm file was deleted while it is in use/);
      for (const suffix of gone) renameSync(away(file + suffix), file + suffix);
      await assertServed();
    });

  for (const gone of LOST)
    test(`sees at once what a command commits after ${gone.join(' and ')} was deleted`, async t => {
      const { file, env, list } = await served(t);
      for (const suffix of gone) rmSync(file + suffix);
      const keys = await runCommand(['admin-keys', 'list', '--json'], { env });
      const [{ id }] = JSON.parse(keys.stdout);
      assert.equal((await runCommand(['admin-keys', 'revoke', id], { env })).exitCode, 0);
      assert.equal((await list()).status, 401);
    });

  test('keeps its log when a command ends, as the service has not lost its locks', async t => {
    const { file, env, assertServed } = await served(t);
    assert.equal((await runCommand(['organizations', 'create', 'Another'], { env })).exitCode, 0);
    assert.ok(existsSync(`${file}-wal`));
    await assertServed();
  });
});
