import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { AdminKeySecret } from '../../src/roster/admin-key-secret.ts';
import { Refused } from '../../src/roster/errors.ts';
import { walkRoster } from '../../src/roster/walk-roster.ts';
import { openFile } from '../../src/sqlite/connection.ts';
import { openReader, openWriter } from '../../src/sqlite/store.ts';
import { firstKeys } from './changing-roster.ts';
import { BIN } from './command-line.ts';
import { embeddedStore } from './embedded-store.ts';
import { createOrganization, importKeys, now } from './roster.ts';
import { TEST_ACTOR } from './store-at.ts';

const KEYS = 30_000;

/**
 * Kills a deletion with SIGKILL at this many random moments of its run. Either nothing has happened then, or the organization's admin
 * keys are refused, and the same command completes it. Another organization's roster stays as it is.
 */
export async function killDeletions(t: TestContext, moments: number): Promise<void> {
  const { folder, file: start, organization: id, secret } = await embeddedStore(t);
  const digest = (AdminKeySecret.parse(secret) as AdminKeySecret).digest();
  const writer = openWriter(start, TEST_ACTOR);
  const { id: other } = await createOrganization(writer);
  await importKeys(writer, id, firstKeys(KEYS));
  await importKeys(writer, other, firstKeys(50));
  await writer.close();
  const ended = { nothing: 0, between: 0, done: 0 };
  const runMs = Math.min(await timeOf(() => run(copyOf('first'))), await timeOf(() => run(copyOf('second'))));
  for (let number = 0; number < moments; number += 1) {
    const store = copyOf(String(number));
    await run(store, (0.1 + 0.9 * Math.random()) * runMs);
    const reader = openReader(store);
    const isFound = (await reader.findAdminKey(digest, now())) !== null;
    await reader.close();
    const writer = openWriter(store, TEST_ACTOR);
    const stored = await writer.findOrganization(id).catch(error => {
      assert.ok(error instanceof Refused);
      return null;
    });
    assert.equal(isFound, stored !== null && stored.deletedAt === null);
    if (isFound) assert.deepEqual(await writer.findContents(id), { apiKeys: KEYS, adminKeys: 1 });
    await writer.close();
    ended[isFound ? 'nothing' : stored ? 'between' : 'done'] += 1;
    if (stored) assert.equal(await run(store), 0);
    await assertGone(store);
  }
  t.diagnostic(`killed before it, in it, after it: ${Object.values(ended).join(', ')}`);

  function copyOf(name: string): string {
    const store = join(folder, `${name}.db`);
    copyFileSync(start, store);
    return store;
  }

  /** Runs the command, and kills it after so many milliseconds. Returns its exit code. */
  async function run(store: string, killAfterMs?: number): Promise<number | null> {
    const args = [BIN, 'organizations', 'delete', id, '--confirm', id, '--database', `sqlite:${store}`];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    const end = once(child, 'close') as Promise<[number | null]>;
    if (killAfterMs !== undefined) await Promise.race([end, setTimeout(killAfterMs)]);
    if (killAfterMs !== undefined) child.kill('SIGKILL');
    return (await end)[0];
  }

  async function assertGone(store: string): Promise<void> {
    const database = openFile(store, { readOnly: true });
    const counts = ['organizations', 'admin_keys', 'api_keys'].map(
      table => database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows,
    );
    assert.deepEqual(counts, [1, 1, 50]);
    assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), []);
    assert.equal(database.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
    const entries = database.prepare(
      "SELECT count(*) AS rows FROM audit_log WHERE action = 'delete_organization'",
    );
    assert.equal(entries.get()?.rows, 1);
    database.close();
    const reader = openReader(store);
    let items = 0;
    for await (const page of walkRoster(reader, other)) items += page.length;
    await reader.close();
    assert.equal(items, 50);
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
