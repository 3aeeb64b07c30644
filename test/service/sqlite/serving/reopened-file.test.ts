import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { type Caller, callerOf } from '../../../support/http.ts';
import { importContent, jsonLines, record } from '../../../support/import-file.ts';
import { runCommand } from '../../../support/run-many-commands.ts';
import { atEndOf, type Scope } from '../../../support/scope.ts';
import { serveStore } from '../../../support/service.ts';
import { storeAt } from '../../../support/store-at.ts';
import { until } from '../../../support/until.ts';

const KEYS = Array.from({ length: 300 }, (_, number) => record(`key_${number}`));

/** A service over a store with keys, which has answered a request. */
async function served(t: Scope) {
  const store = await embeddedStore(t);
  await importContent(store, jsonLines(KEYS));
  const service = await serveStore(t, storeAt(store.url));
  const caller = callerOf(service.port, store.secret);
  atEndOf(t, () => caller.close());
  const list = () => caller.send({ query: 'limit=1000' });
  const page = await list();
  assert.equal(page.status, 200);
  /** Asks until it is so. Every answer until then must be the right page, a 503, or what another store answers to the key. */
  const untilAnswered = (status: number) =>
    until(`the answer is a ${status}`, async () => {
      const answer = await list();
      const isRight = answer.status === 200 && answer.text === page.text;
      assert.ok(isRight || [401, 503].includes(answer.status), answer.text.slice(0, 200));
      return answer.status === status && answer;
    });
  const untilUnavailable = async (why: RegExp) => {
    const { body, headers } = await untilAnswered(503);
    assert.match(service.logText(), why);
    assert.equal(body.error.type, 'api_error');
    assert.ok(Number(headers['retry-after']) > 0);
    assert.equal((await caller.send({ path: '/healthz' })).status, 200);
  };
  const untilServedAgain = async () => {
    await untilAnswered(200);
    assert.equal((await caller.send({ path: '/readyz' })).status, 200);
  };
  return { store, caller, service, untilAnswered, untilUnavailable, untilServedAgain };
}

describe('a store that is served', () => {
  test('and moved away makes the service answer 503 and not ready, until it is back', async t => {
    const { store, caller, untilUnavailable, untilServedAgain } = await served(t);
    renameSync(store.file, `${store.file}.away`);
    await untilUnavailable(/there is no file/);
    assert.equal((await caller.send({ path: '/readyz' })).status, 503);
    renameSync(`${store.file}.away`, store.file);
    await untilServedAgain();
  });

  test('and overwritten in its middle makes the service answer 503 until it is restored', async t => {
    const { store, untilUnavailable, untilServedAgain } = await served(t);
    const content = readFileSync(store.file);
    const file = openSync(store.file, 'r+');
    writeSync(file, Buffer.alloc(content.length - 4096, 0x55), 0, content.length - 4096, 4096);
    closeSync(file);
    await untilUnavailable(/damaged/);
    writeFileSync(store.file, content);
    await untilServedAgain();
  });

  test('and replaced by another store serves that, and nothing of the previous one, until that is back', async t => {
    const { store, service, untilAnswered, untilServedAgain } = await served(t);
    const other = await embeddedStore(t);
    await importContent(other, jsonLines([record('other')]));
    copyFileSync(store.file, `${store.file}.away`);
    renameSync(other.file, store.file);
    await untilAnswered(401);
    const { body } = await service.list(other.secret);
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      ['other'],
    );
    renameSync(`${store.file}.away`, store.file);
    await untilServedAgain();
  });

  test('is refused when another file is copied over it in place beside its log, until the log is removed', async t => {
    const { store, caller, service } = await served(t);
    await importContent(store, jsonLines([record('key_0', { name: 'renamed' })]));
    assert.equal((await caller.send()).status, 200);
    const other = await embeddedStore(t);
    copyOverInOtherProcess(other.file, store.file);
    await assertOnlyUnavailable(caller);
    assert.match(service.logText(), /other content was written into the file beside the -wal file/);
    const content = readFileSync(store.file);
    for (const command of [['organizations', 'list'], ['migrate'], ['backup', `${store.file}.copy`]]) {
      const { exitCode, stderr } = await runCommand(command, { env: store.env });
      assert.equal(exitCode, 1, `${command[0]} would mix them too`);
      assert.match(stderr, /other content was written into the file/);
      assert.ok(readFileSync(store.file).equals(content), `${command[0]} changed the file`);
    }
    for (const suffix of ['-wal', '-shm']) rmSync(`${store.file}${suffix}`);
    await wait(15);
    assert.equal((await caller.send()).status, 401, 'the other store has another admin key');
  });

  test('is refused while it is empty, and its log is kept', async t => {
    const { store, caller } = await served(t);
    await importContent(store, jsonLines([record('key_0', { name: 'renamed' })]));
    renameSync(store.file, `${store.file}.away`);
    writeFileSync(store.file, '');
    await assertOnlyUnavailable(caller);
    const { exitCode, stderr } = await runCommand(['organizations', 'list'], { env: store.env });
    assert.equal(exitCode, 1);
    assert.match(stderr, /is empty: restore it/);
    assert.ok(statSync(`${store.file}-wal`).size > 0);
    renameSync(`${store.file}.away`, store.file);
    await wait(15);
    assert.match((await caller.send({ query: 'limit=1000' })).text, /"name":"renamed"/);
  });

  for (const gone of [['-shm'], ['-shm', '-wal']]) {
    test(`sees a revoked admin key at once, although ${gone.join(' and ')} was deleted before`, async t => {
      const { store, caller } = await served(t);
      for (const suffix of gone) rmSync(`${store.file}${suffix}`, { force: true });
      const { env } = store;
      const list = await runCommand(['admin-keys', 'list', '--json'], { env });
      const [{ id }] = JSON.parse(list.stdout);
      assert.equal((await runCommand(['admin-keys', 'revoke', id], { env })).exitCode, 0);
      assert.equal((await caller.send()).status, 401);
    });
  }
});

/** This process would lose SQLite's locks on a file that it closes. */
function copyOverInOtherProcess(source: string, file: string): void {
  const script = 'fs.copyFileSync(process.argv[1], process.argv[2])';
  execFileSync(process.execPath, ['-e', script, source, file]);
}

async function assertOnlyUnavailable(caller: Caller): Promise<void> {
  for (let request = 0; request < 5; request++) {
    await wait(15); // longer than the file may go unchecked
    assert.equal((await caller.send()).status, 503);
  }
}
