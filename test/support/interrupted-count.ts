import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { buildConsole } from '../../scripts/build-console.ts';
import { openTab, signIn } from './console.ts';
import { expectedOverview, openOverview, shownOverview, variedKeys } from './overview.ts';
import { startRestartingService } from './restarting-service.ts';
import { createOrganization, importKeys } from './roster.ts';
import { atEndOf } from './scope.ts';
import { sqlite } from './stores.ts';

/** Of the answers of lists. */
const BUSY = 0.15;

/** Of all kills together. */
const COUNT_TIMEOUT_MS = 240_000;

/**
 * Counts in a browser while the service is killed and restarted at random moments of the count, and answers 429 and 503 at random.
 * Asserts that every figure equals a model's.
 */
export async function interruptCount(t: TestContext, keyCount: number, kills: number): Promise<void> {
  await buildConsole();
  const keys = variedKeys(keyCount);
  const store = await sqlite.create();
  atEndOf(t, () => store.remove());
  const writer = await store.openWriter();
  const { id, secret } = await createOrganization(writer);
  await importKeys(writer, id, keys);
  await writer.close();

  // Each kill is before another page, and a few milliseconds after the request for it has come.
  const pages = keyCount / 1_000;
  const killAt = Array.from({ length: kills }, (_, kill) =>
    Math.floor(((kill + Math.random()) * pages) / kills),
  );
  let isCounting = false;
  let lists = 0;
  let killed = 0;
  let killing = Promise.resolve();
  const kill = async () => {
    await setTimeout(Math.random() * 10);
    await service.killAndRestart();
    killed += 1;
  };
  const service = await startRestartingService(t, store.url, () => {
    if (!isCounting) return null;
    if (Math.random() < BUSY) return Math.random() < 0.5 ? 429 : 503;
    if (lists >= (killAt[0] ?? Infinity)) {
      killAt.shift();
      killing = killing.then(kill);
    }
    lists += 1;
    return null;
  });

  const page = await openTab(t);
  await page.goto(`${service.url}/console/`);
  await signIn(page, secret);
  isCounting = true;
  await openOverview(page, keys.length, { timeout: COUNT_TIMEOUT_MS });
  await killing;
  assert.equal(killed, kills);
  assert.deepEqual(await shownOverview(page), expectedOverview(keys, new Date()));
}
