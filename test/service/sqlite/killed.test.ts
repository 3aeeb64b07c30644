/** Commands that write, killed with SIGKILL at random moments. Each works on its own copy of a store. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { renderApiKey } from '../../../src/service/roster/api-key.ts';
import { walkRoster } from '../../../src/service/roster/walks.ts';
import { openReader, openWriter } from '../../../src/service/sqlite/store.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { BINS } from '../../support/command-line.ts';
import { type EmbeddedStore, embeddedStore } from '../../support/embedded-store.ts';
import { importKeys } from '../../support/roster.ts';
import { rounds } from '../../support/rounds.ts';
import { TEST_ACTOR } from '../../support/store-at.ts';

const MOMENTS = rounds(1);

test('an import that is killed is done or not done, and recorded so, and the next one succeeds', async t => {
  const store = await embeddedStore(t);
  const { organization, folder } = store;
  const known = firstKeys(2_000);
  const imported = firstKeys(6_000).map(key => ({ ...key, name: 'imported' }));
  const writer = openWriter(store.file, TEST_ACTOR);
  await importKeys(writer, organization, known).finally(() => writer.close());
  const source = join(folder, 'api-keys.jsonl');
  writeFileSync(source, imported.map(key => `${renderApiKey(key)}\n`).join(''));
  const ended = { before: 0, after: 0 };
  for await (const { file, run } of killedCopies(store, ['import', source, '--organization', organization])) {
    const names = await namesIn(file, organization);
    const isDone = names.length === imported.length;
    assert.deepEqual([names.length, ...new Set(names)], isDone ? [6_000, 'imported'] : [2_000, 'first']);
    assert.equal(importsIn(file), isDone ? 2 : 1);
    ended[isDone ? 'after' : 'before'] += 1;
    assert.equal(await run(), 0);
    assert.equal((await namesIn(file, organization)).length, imported.length);
  }
  t.diagnostic(`killed before its end, after it: ${Object.values(ended).join(', ')}`);
});

/** Copies of the store, in each of which the command was killed at another moment, and the same command for this copy. */
async function* killedCopies({ folder, file: start }: EmbeddedStore, args: readonly string[]) {
  const copyOf = (name: string) => {
    const file = join(folder, `${name}.db`);
    copyFileSync(start, file);
    return file;
  };
  const run = async (file: string, killAfterMs?: number): Promise<number | null> => {
    const child = spawn(process.execPath, [BINS.keyroster, ...args, '--database', `sqlite:${file}`], {
      stdio: 'ignore',
    });
    const end = once(child, 'close') as Promise<[number | null]>;
    if (killAfterMs !== undefined) await Promise.race([end, setTimeout(killAfterMs)]);
    if (killAfterMs !== undefined) child.kill('SIGKILL');
    return (await end)[0];
  };
  const since = performance.now();
  await run(copyOf('undisturbed'));
  const runMs = performance.now() - since;
  for (let number = 0; number < MOMENTS; number += 1) {
    const file = copyOf(String(number));
    await run(file, (0.1 + 0.9 * Math.random()) * runMs);
    assertIntact(file);
    yield { file, run: () => run(file) };
  }
}

async function namesIn(file: string, organization: OrganizationId): Promise<string[]> {
  const reader = openReader(file);
  const names: string[] = [];
  for await (const items of walkRoster(reader, organization))
    names.push(...items.map(({ record }) => JSON.parse(record).name));
  await reader.close();
  return names;
}

function importsIn(file: string): unknown {
  using database = new DatabaseSync(file, { readOnly: true });
  return database.prepare("SELECT count(*) AS imports FROM audit_log WHERE action = 'import'").get()?.imports;
}

function assertIntact(file: string): void {
  using database = new DatabaseSync(file, { readOnly: true });
  assert.equal(database.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
  assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), []);
}
