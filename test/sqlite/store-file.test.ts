import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, renameSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type EmbeddedStore, embeddedStore } from '../support/embedded-store.ts';
import { importContent, jsonLines, record } from '../support/import-file.ts';
import { runCommand } from '../support/run-many-commands.ts';

const KEYS = Array.from({ length: 300 }, (_, number) => record(`key_${number}`));

/** A store whose process was killed, so that its log still has commits that the file doesn't have. */
async function storeWithLog(t: TestContext): Promise<EmbeddedStore & { log: string }> {
  const store = await embeddedStore(t);
  await importContent(store, jsonLines(KEYS));
  const place = join(store.folder, 'killed');
  mkdirSync(place);
  const file = join(place, 'keyroster.db');
  const holder = await holdOpen(t, store.file);
  await importContent(store, jsonLines([record('key_0', { name: 'renamed' })]));
  for (const suffix of ['', '-wal']) copyFileSync(store.file + suffix, file + suffix);
  await holder.end();
  assert.ok(statSync(`${file}-wal`).size > 0);
  return { ...store, file, log: `${file}-wal`, env: { KEYROSTER_DATABASE_URL: `sqlite:${file}` } };
}

async function holdOpen(t: TestContext, file: string) {
  const { openReader } = await import('../../src/sqlite/store.ts');
  const reader = openReader(file);
  let open = true;
  const end = async () => {
    if (open) await reader.close();
    open = false;
  };
  t.after(end);
  return { end };
}

for (const [how, put] of [
  ['copied over the file', (source: string, file: string) => copyFileSync(source, file)],
  [
    'moved into its place',
    (source: string, file: string) => {
      copyFileSync(source, `${file}.new`);
      utimesSync(`${file}.new`, new Date(2020, 1), new Date(2020, 1));
      renameSync(`${file}.new`, file);
    },
  ],
] as const)
  test(`another store that is ${how} beside its log is refused by every command, and nothing is changed`, async t => {
    const { file, log, env } = await storeWithLog(t);
    const other = await embeddedStore(t);
    await importContent(other, jsonLines(KEYS.slice(0, 40).map(key => ({ ...key, name: 'other' }))));
    await wait(20); // longer than the clock of files ticks
    put(other.file, file);
    const content = readFileSync(file);
    const logged = readFileSync(log);
    for (const command of [['migrate'], ['organizations', 'list'], ['backup', `${file}.copy`]]) {
      const { exitCode, stderr } = await runCommand(command, { env });
      assert.equal(exitCode, 1, command.join(' '));
      assert.match(stderr, /^keyroster: [^\n]+\n$/);
      assert.ok(readFileSync(file).equals(content), `${command[0]} changed the file`);
      assert.ok(readFileSync(log).equals(logged), `${command[0]} changed the log`);
    }
  });
