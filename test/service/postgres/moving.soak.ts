/** Runs what docs/runbooks.md says of moving, with the `pg_dump`, `pg_restore` and `psql` of this machine. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { BINS } from '../../support/command-line.ts';
import { blocksIn } from '../../support/doc-blocks.ts';
import { newStore } from '../../support/opened.ts';
import { createAdminKey, createOrganization, importKeys, now, organizationIn } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';
import { atEndOf, temporaryFolder } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { storeAt } from '../../support/store-at.ts';
import { createDatabase } from '../../support/stores.ts';

const KEYS = 1000;

test('a whole schema moves, with its audit log', async t => {
  const databases = await oldAndNew(t);
  if (!databases) return;
  runBlock(t, 'pg_dump --format=custom', databases);
  for (const table of ['organizations', 'admin_keys', 'api_keys', 'audit_log', 'migrations'])
    await assertSameRows(table, databases);
  await assert.rejects(storeAt(databases.new).openReader(), /this is a copy of store_/);
  await assertWritable(databases.new);
});

type Databases = Readonly<Record<'old' | 'new', string>>;

/** A roster and an empty database. Skips the test where `pg_dump` is missing, or older than PostgreSQL. */
async function oldAndNew(t: TestContext): Promise<Databases | undefined> {
  const store = await newStore(t);
  const [server] = await runSql(
    store.url,
    "SELECT current_setting('server_version_num')::integer / 10000 AS version",
  );
  if (versionOfPgDump() < Number(server?.version)) {
    t.skip(`needs pg_dump of PostgreSQL ${server?.version} or later`);
    return undefined;
  }
  const writer = await store.openWriter();
  const { id } = await createOrganization(writer, { revokedAt: now() });
  await createAdminKey(writer, id);
  await importKeys(writer, id, numberedKeys(KEYS));
  await writer.close();
  const empty = await createDatabase();
  atEndOf(t, () => empty.remove());
  return { old: store.url, new: empty.url };
}

function versionOfPgDump(): number {
  try {
    return Number(
      /(\d+)[.\w]* *(\(|$)/.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8' }))?.[1],
    );
  } catch {
    return 0;
  }
}

/** Runs the block that begins so. */
function runBlock(t: TestContext, start: string, databases: Databases): void {
  const block = blocksIn('docs/runbooks.md').find(({ text }) => text.startsWith(start));
  assert(block);
  const cwd = temporaryFolder(t);
  const env = {
    ...process.env,
    OLD: databases.old,
    NEW: databases.new,
    NODE: process.execPath,
    BIN: BINS.keyroster,
  };
  execFileSync('sh', ['-euc', `keyroster() { "$NODE" "$BIN" "$@"; }\n${block.text}`], { cwd, env });
}

async function assertSameRows(table: string, databases: Databases): Promise<void> {
  const sql = `SELECT row_to_json(t)::text AS row FROM keyroster.${table} t ORDER BY 1`;
  const rows = await runSql(databases.old, sql);
  assert.ok(rows.length > 0, table);
  assert.deepEqual(await runSql(databases.new, sql), rows, table);
}

async function assertWritable(url: string): Promise<void> {
  const store = storeAt(url);
  assert.equal(await store.migrate(), 0);
  await organizationIn(store);
}
