import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConsole } from '../../../scripts/build-console.ts';
import { openTab, signIn } from '../../support/console.ts';
import { blocked, heapSize, watchMainThread } from '../../support/main-thread.ts';
import { importManyKeys } from '../../support/million.ts';
import { createOrganization, sqlite } from '../../support/roster.ts';
import { atEndOf } from '../../support/scope.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { openWorklist } from '../../support/worklist.ts';

const KEYS = 1_000_000;
/** The aim is 50 ms, but where a map grows. Other programs of the machine make a task longer too. */
const LONGEST_TASK_MS = 150;
/** Of each key its name and its age, and the creators. */
const MAX_HEAP_BYTES = 200_000_000;
const COUNT_TIMEOUT_MS = 180_000;

test('a count of 1,000,000 keys never blocks its page for long, and keeps little of a key', async t => {
  await buildConsole();
  const store = await sqlite.create();
  atEndOf(t, () => store.remove());
  const writer = await store.openWriter();
  const { id, secret } = await createOrganization(writer);
  await importManyKeys(writer, id, KEYS);
  await writer.close();
  const { port } = await startServiceProcess(t, store.url);

  const page = await openTab(t);
  await page.goto(`http://127.0.0.1:${port}/console/`);
  await signIn(page, secret);
  await watchMainThread(page);
  const start = performance.now();
  await openWorklist(page, KEYS, { timeout: COUNT_TIMEOUT_MS });
  const seconds = (performance.now() - start) / 1_000;
  const { longTasks, longestGap } = await blocked(page);
  const heap = await heapSize(page);
  t.diagnostic(
    `${Math.round(KEYS / seconds)} keys/s; tasks of 50 ms and more: ${longTasks.map(Math.round)}; ` +
      `longest time between frames: ${Math.round(longestGap)} ms; ${Math.round(heap / 1e6)} MB`,
  );
  assert(Math.max(0, ...longTasks) < LONGEST_TASK_MS, `${longTasks}`);
  assert(heap < MAX_HEAP_BYTES, `${heap} bytes`);
});
