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
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { StoreReader } from '../../../../src/service/roster/roster.ts';
import { openReader } from '../../../../src/service/sqlite/store.ts';
import { type EmbeddedStore, embeddedStore } from '../../../support/embedded-store.ts';
import { type Caller, callerOf, type Received } from '../../../support/http.ts';
import { importContent, jsonLines, record } from '../../../support/import-file.ts';
import { runCommand } from '../../../support/run-many-commands.ts';
import { suiteScope } from '../../../support/scope.ts';
import { startService, type TestService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';

/** Of one reason the log has a line a second. */
const TOLD_EVERY_MS = 1_000;
const KEYS = Array.from({ length: 300 }, (_, number) => record(`key_${number}`));

describe('while the store is served', () => {
  const scope = suiteScope();
  let store: EmbeddedStore;
  let reader: StoreReader;
  let service: TestService;
  let caller: Caller;
  let fullPage: string;
  before(async () => {
    store = await embeddedStore(scope);
    await importContent(store, jsonLines(KEYS));
    reader = openReader(store.file);
    service = await startService(reader);
    caller = callerOf(service.port, store.secret);
    fullPage = (await caller.send({ query: 'limit=1000' })).text;
  });
  after(async () => {
    caller.close();
    await service.close();
    await reader.close();
  });

  /** Retries until the answer has this status. Every answer until then must be the right page or a 503. */
  function untilAnswered(status: number): Promise<Received> {
    return until(`the answer is a ${status}`, async () => {
      const answer = await caller.send({ query: 'limit=1000' });
      assert.ok(
        answer.status === 503 || answer.text === fullPage,
        `${answer.status}: ${answer.text.slice(0, 200)}`,
      );
      return answer.status === status && answer;
    });
  }

  async function assertUnavailable(why: RegExp): Promise<void> {
    const since = Date.now() - TOLD_EVERY_MS;
    const { body, headers } = await untilAnswered(503);
    assert.equal(body.error.type, 'api_error');
    assert.ok(Number(headers['retry-after']) > 0);
    const told = service
      .logText()
      .split('\n')
      .some(text => why.test(text) && JSON.parse(text).time >= since);
    assert.ok(told, `no log line matches ${why}`);
    assert.equal((await caller.send({ path: '/healthz' })).status, 200);
  }

  async function assertServedAgain(): Promise<void> {
    assert.equal((await untilAnswered(200)).text, fullPage);
    assert.equal((await caller.send({ path: '/readyz' })).status, 200);
  }

  test('a file that is moved away makes the service answer 503 and not ready, until it is back', async () => {
    renameSync(store.file, `${store.file}.away`);
    await assertUnavailable(/there is no file/);
    assert.equal((await caller.send({ path: '/readyz' })).status, 503);
    renameSync(`${store.file}.away`, store.file);
    await assertServedAgain();
  });

  test('a file overwritten in its middle makes the service answer 503 until it is restored', async () => {
    const content = readFileSync(store.file);
    const file = openSync(store.file, 'r+');
    writeSync(file, Buffer.alloc(content.length - 4096, 0x55), 0, content.length - 4096, 4096);
    closeSync(file);
    await assertUnavailable(/damaged/);
    writeFileSync(store.file, content);
    await assertServedAgain();
  });

  test('another store in its place is served, and nothing of the previous store', async t => {
    const other = await embeddedStore(t);
    await importContent(other, jsonLines([record('other')]));
    copyFileSync(store.file, `${store.file}.away`);
    renameSync(other.file, store.file);
    const otherCaller = callerOf(service.port, other.secret);
    t.after(() => otherCaller.close());
    await until('the other store is served', async () => (await caller.send()).status === 401);
    const { body } = await otherCaller.send();
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      ['other'],
    );
    renameSync(`${store.file}.away`, store.file);
    await until('the store is served again', async () => {
      const { status } = await caller.send();
      assert.ok(status === 200 || status === 401 || status === 503);
      return status === 200;
    });
    await assertServedAgain();
  });
});

describe('a store that is served over a file of its own', () => {
  test('is refused when another file is copied over it in place beside its log, until the log is removed', async t => {
    const { store, caller, logText } = await served(t);
    await importContent(store, jsonLines([record('key_0', { name: 'renamed' })]));
    assert.equal((await caller.send()).status, 200);
    const other = await embeddedStore(t);
    copyOverInOtherProcess(other.file, store.file);
    await assertOnlyUnavailable(caller);
    assert.match(logText(), /other content was written into the file beside the -wal file/);
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

/** A service over a store with keys, which has answered a request. */
async function served(t: TestContext) {
  const store = await embeddedStore(t);
  await importContent(store, jsonLines(KEYS));
  const reader = openReader(store.file);
  const service = await startService(reader);
  const caller = callerOf(service.port, store.secret);
  t.after(async () => {
    caller.close();
    await service.close();
    await reader.close();
  });
  assert.equal((await caller.send()).status, 200);
  return { store, caller, logText: service.logText };
}

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
