import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreBusy, StoreUnavailable } from '../../../../src/service/roster/errors.ts';
import { BatchedReads } from '../../../../src/service/sqlite/pages/batched-reads.ts';
import { ReopenedFile } from '../../../../src/service/sqlite/pages/reopened-file.ts';
import { temporaryFolder } from '../../../support/scope.ts';

/** What SQLite throws when a disk fails. */
const DISK_ERROR = Object.assign(new Error('disk I/O error'), { errcode: 10 });

/** Batched reads of a file, with a fake clock that doesn't advance. `done` records what was done to the file, in order. */
function batchedReads(scope: TestContext, begin = () => {}) {
  scope.mock.method(performance, 'now', () => 0);
  const path = join(temporaryFolder(scope), 'file');
  writeFileSync(path, 'content');
  const done: string[] = [];
  const open = () => {
    done.push('open');
    return {
      begin: () => {
        done.push('begin');
        begin();
      },
      end: () => void done.push('end'),
      close: () => void done.push('close'),
    };
  };
  const batched = new BatchedReads(new ReopenedFile(path, open));
  const read = (name: string) => batched.read(() => void done.push(name));
  return { done, batched, read };
}

test('reads requested in one turn of the event loop share one snapshot, which begins at its end, and one requested later has another', async t => {
  const { done, read } = batchedReads(t);
  const pending = [read('a').then(() => read('d')), read('b')];
  await Promise.resolve();
  pending.push(read('c'));
  assert.deepEqual(done, ['open']);
  await Promise.all(pending);
  assert.deepEqual(done, ['open', 'begin', 'a', 'b', 'c', 'end', 'begin', 'd', 'end']);
});

test('a large batch is split: the first reads return before the others start, and all are made in order', async t => {
  const { done, read } = batchedReads(t);
  const numbers = Array.from({ length: 100 }, (_, number) => String(number));
  await Promise.all(numbers.map(number => read(number).then(() => done.push('answered'))));
  const last = (what: string) => done.lastIndexOf(what);
  assert(done.indexOf('answered') < last('begin'));
  assert(last('begin') > done.indexOf('end') && last('end') > last('begin'));
  assert.deepEqual(
    done.filter(what => /^\d+$/.test(what)),
    numbers,
  );
});

test('after a turn with one request the two reads of one are made at once, and after one with more at the end of its turn', async t => {
  const { done, read } = batchedReads(t);
  await Promise.all([read('first'), read('second')]);
  done.length = 0;
  await nextTurn();
  const request = [read('its key'), read('its page')];
  const alone = ['begin', 'its key', 'end', 'begin', 'its page', 'end'];
  assert.deepEqual(done, alone);
  request.push(read('other'));
  assert.deepEqual(done, alone);
  await Promise.all(request);
  done.length = 0;
  const behind = read('behind others');
  assert.deepEqual(done, []);
  await behind;
});

test('a read that has waited too long is refused, and later reads succeed', async t => {
  const { done, batched, read } = batchedReads(t);
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const slow = () => {
    now += 1_000;
    done.push('slow');
  };
  const answers = await Promise.allSettled([read('a'), batched.read(slow), read('b'), read('c')]);
  assert.deepEqual(
    answers.map(answer => (answer.status === 'rejected' ? answer.reason.constructor : answer.status)),
    ['fulfilled', 'fulfilled', StoreBusy, StoreBusy],
  );
  await read('d');
  assert.deepEqual(done, ['open', 'begin', 'a', 'slow', 'end', 'begin', 'end', 'begin', 'd', 'end']);
});

test('a read that waited for nothing but a pause of the whole process is not refused', async t => {
  const { read, done } = batchedReads(t);
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  await read('a');
  const waiting = read('b');
  now += 1_000;
  await waiting;
  assert.deepEqual(done.slice(-3), ['begin', 'b', 'end']);
});

test("a file error in one read doesn't fail the others, and the file is reopened", async t => {
  const { done, batched, read } = batchedReads(t);
  const fails = (error: Error) =>
    batched.read(() => {
      throw error;
    });
  const wrong = new Error('wrong');
  const answers = await Promise.allSettled([read('a'), fails(DISK_ERROR), fails(wrong), read('b')]);
  assert.deepEqual(
    answers.map(answer => (answer.status === 'rejected' ? answer.reason.constructor : answer.status)),
    ['fulfilled', StoreUnavailable, Error, 'fulfilled'],
  );
  await read('c');
  assert.deepEqual(done, ['open', 'begin', 'a', 'b', 'close', 'open', 'begin', 'c', 'end']);
});

test("when a snapshot can't begin, every read that waits for it is refused, and the file is reopened", async t => {
  let failures = 1;
  const { done, read } = batchedReads(t, () => {
    if (failures-- > 0) throw DISK_ERROR;
  });
  const answers = await Promise.allSettled([read('a'), read('b')]);
  assert.deepEqual(
    answers.map(answer => answer.status === 'rejected' && answer.reason instanceof StoreUnavailable),
    [true, true],
  );
  await read('c');
  assert.deepEqual(done, ['open', 'begin', 'close', 'open', 'begin', 'c', 'end']);
});

test('a pending read is refused when the reader is closed', async t => {
  const { batched, read } = batchedReads(t);
  const pending = read('a');
  batched.close();
  await assert.rejects(pending, /the store is closed/);
  await nextTurn();
});
