import assert from 'node:assert/strict';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Finding } from '../../../src/service/roster/check.ts';
import type { ApiKeyId } from '../../../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../../../src/shared/record/partial-key-hint.ts';
import { apiKeyCanary, assertNoTrace } from '../../support/canaries.ts';
import { makePair, pairFiles } from '../../support/certificate.ts';
import { blocksIn } from '../../support/doc-blocks.ts';
import { embeddedStore } from '../../support/embedded-store.ts';
import { importContent, jsonLines, record } from '../../support/import-file.ts';
import { newStore, writerOf } from '../../support/opened.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import { runCommand } from '../../support/run-many-commands.ts';
import { runSql } from '../../support/run-sql.ts';
import { temporaryFolder } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';
import { storeAt } from '../../support/store-at.ts';

test('check says in one line that nothing is wrong', async t => {
  const store = await embeddedStore(t);
  await importContent(store, jsonLines([record('k1'), record('k2')]));
  const run = async (...args: string[]) => runCommand(['check', ...args], { env: store.env });
  const looked = 'looked at 2 API keys: nothing is wrong\n';
  assert.deepEqual(await run(), { exitCode: 0, stdout: looked, stderr: '' });
  const json = await run('--json');
  assert.deepEqual(JSON.parse(json.stdout), {
    store: (await storeAt(store.url).findIdentity()).id,
    findings: [],
    keys: 2,
    not_looked_at: [],
    upkeep: [],
  });
});

test('check tells how old the newest backup is and when the certificate ends, and whether that is wrong', async t => {
  const store = await embeddedStore(t);
  const folder = temporaryFolder(t);
  const check = async (days: number) => {
    const { certFile } = pairFiles(t, makePair({ notAfter: new Date(Date.now() + days * 86_400_000) }));
    const env = { ...store.env, KEYROSTER_BACKUP_FOLDER: folder, KEYROSTER_TLS_CERT: certFile };
    return runCommand(['check'], { env });
  };
  const none = await check(13);
  assert.equal(none.exitCode, 1);
  assert.match(none.stdout, /^backup: there is none\n {2}.*\ncertificate: it ends in 12 days\n/);
  for (const name of ['audit-2026-11-29.jsonl', 'a.dump.partial', 'keyroster-backup.prom'])
    writeFileSync(join(folder, name), ''); // beside backups, and newer
  assert.match((await check(30)).stdout, /^backup: there is none\n/);
  const backup = join(folder, 'backup.db');
  writeFileSync(backup, '');
  const right = await check(30);
  assert.equal(right.exitCode, 0, right.stdout);
  assert.match(
    right.stdout,
    /^backup: the newest is of 0 hours ago\ncertificate: it ends in 29 days\nlooked at/,
  );
  const old = new Date(Date.now() - 27.5 * 3_600_000);
  utimesSync(backup, old, old);
  assert.match((await check(30)).stdout, /^backup: the newest is of 27 hours ago\n/);
  const next = new Date(Date.now() + 2 * 86_400_000);
  utimesSync(backup, next, next);
  assert.match((await check(30)).stdout, /^backup: the newest is of -48 hours ago\n.*clock\n/);
});

test('check tells of a table or an index that has lost a page, whose keys are no longer listed', async t => {
  const store = await embeddedStore(t);
  await importContent(store, jsonLines(Array.from({ length: 400 }, (_, number) => record(`k${number}`))));
  using database = new DatabaseSync(store.file);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const sql = "SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = 'admin_keys'";
  const { rootpage, page_size: size } = database.prepare(sql).get() as Record<string, number>;
  database.close();
  const bytes = readFileSync(store.file);
  bytes.fill(0, (Number(rootpage) - 1) * Number(size), Number(rootpage) * Number(size));
  writeFileSync(store.file, bytes);
  const { exitCode, stdout } = await runCommand(['check'], { env: store.env });
  assert.match(stdout, /^file: SQLite says that it is damaged: .*\n {2}restore a backup\n/);
  assert.equal(exitCode, 1);
});

test('check tells that serve refuses a copy', async t => {
  const store = await embeddedStore(t);
  const copy = join(store.folder, 'copy.db');
  await runCommand(['backup', copy], { env: store.env });
  const { exitCode, stdout } = await runCommand(['check', '--database', `sqlite:${copy}`]);
  assert.match(
    stdout,
    /^store: it is a copy by a backup or a dump, which serve refuses\n {2}run "keyroster restore"/,
  );
  assert.equal(exitCode, 1);
});

test('check prints what is wrong and what mends it, and exits with 1, as docs/operations.md shows', async t => {
  const store = await newStore(t);
  const { key, hint } = apiKeyCanary();
  const writer = await writerOf(t, store);
  const { id } = await createOrganization(writer);
  const partialKeyHint = hint as PartialKeyHint;
  const keys = Array.from({ length: 20 }, (_, number) =>
    numberedKey(number, { id: `apikey_${number}` as ApiKeyId, partialKeyHint }),
  );
  await importKeys(writer, id, keys);
  await runSql(store.url, 'DROP INDEX keyroster.api_keys_listing_status');
  await runSql(store.url, `UPDATE keyroster.api_keys SET name = '${key}' WHERE id = 'apikey_1'`);

  const env = { KEYROSTER_DATABASE_URL: store.url };
  const { exitCode, stdout, stderr } = await runCommand(['check'], { env });
  assertNoTrace([key], stdout + stderr, 'the output of check');
  const shown = blocksIn('docs/operations.md').find(({ text }) => text.startsWith('indexes: the index'));
  assert.deepEqual([exitCode, stdout + stderr], [1, shown?.text]);

  const json = await runCommand(['check', '--json'], { env });
  assert.equal(json.exitCode, 1);
  const { findings, store: shownId } = JSON.parse(json.stdout);
  assert.equal(shownId, (await store.findIdentity()).id);
  assert.deepEqual(
    findings.map(({ about, count, examples }: Finding) => [about, count, examples]),
    [
      ['indexes', undefined, undefined],
      ['rows', 1, ['apikey_1']],
      ['rows', 1, ['apikey_1']],
    ],
  );
});
