import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEachStore } from '../../support/each-store.ts';
import { createOrganization, importKeys, sqlite } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { postgres } from '../../support/stores.ts';

const KEYS = 2500;
const OF_STATUS = 'pages filtered by status lack their index';
const OF_CURSOR = 'pages with after_id or before_id lack the index that finds the cursor';

/** What is done to the indexes, what is told of it, and what mends it. */
const INDEXES: Readonly<Record<string, readonly (readonly [sql: string, told: string, fix: RegExp])[]>> = {
  SQLite: [
    ['DROP INDEX api_keys_status', OF_STATUS, /^CREATE INDEX api_keys_status ON api_keys \(/],
    [
      'DROP INDEX api_keys_workspace',
      'pages filtered by workspace_id or filtered by status and workspace_id lack their index',
      /^CREATE INDEX api_keys_workspace ON api_keys \(/,
    ],
    ['DROP INDEX api_keys_id', OF_CURSOR, /^CREATE UNIQUE INDEX api_keys_id ON api_keys \(/],
    [
      'DROP INDEX api_keys_status; CREATE INDEX api_keys_status ON api_keys (creator)',
      OF_STATUS,
      /^DROP INDEX api_keys_status; CREATE INDEX api_keys_status ON api_keys \(/,
    ],
  ],
  PostgreSQL: [
    [
      'DROP INDEX keyroster.api_keys_listing',
      'pages without a filter lack their index',
      /^CREATE INDEX CONCURRENTLY api_keys_listing ON keyroster\.api_keys \(/,
    ],
    [
      'DROP INDEX keyroster.api_keys_listing_status_workspace_id_created_by_id',
      'pages filtered by status and workspace_id and created_by_user_id lack their index',
      /^CREATE INDEX CONCURRENTLY api_keys_listing_status_workspace_id_created_by_id ON /,
    ],
    [
      'ALTER TABLE keyroster.api_keys DROP CONSTRAINT api_keys_pkey',
      OF_CURSOR,
      /^ALTER TABLE keyroster\.api_keys ADD PRIMARY KEY \(organization_id, id\)$/,
    ],
    [
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'keyroster.api_keys_listing_status'::regclass",
      OF_STATUS,
      /^REINDEX INDEX CONCURRENTLY "keyroster"\."api_keys_listing_status"$/,
    ],
  ],
};

/** What a table without its rules lets in, and what is told of it. */
const ROWS = {
  SQLite: {
    sql: `UPDATE api_keys SET record = replace(record, 'sk-ven', 'sk ven') WHERE id IN ('k3', 'k4');
      DROP TRIGGER organizations_creation_never_changes; UPDATE organizations SET id = 'Example Ltd'`,
    told: { organization_id: KEYS, partial_key_hint: 2 },
  },
  PostgreSQL: {
    sql: `ALTER TABLE keyroster.api_keys DISABLE TRIGGER ALL, DROP CONSTRAINT api_keys_created_at_check,
        DROP CONSTRAINT api_keys_status_check, DROP CONSTRAINT api_keys_created_by_id_check,
        DROP CONSTRAINT api_keys_partial_key_hint_check;
      UPDATE keyroster.api_keys SET created_at = 'infinity' WHERE id = 'k1';
      UPDATE keyroster.api_keys SET status = 'live' WHERE id IN ('k3', 'k4');
      UPDATE keyroster.api_keys SET created_by_id = 'us"er' WHERE id = 'k5';
      UPDATE keyroster.api_keys SET partial_key_hint = 'sk-ven-secret', name = 'as before' WHERE id = 'k6'`,
    told: { created_at: 1, partial_key_hint: 1, record: 1, status: 2 },
  },
};

/** On Citus the tests share one database. */
describeEachStore(
  'check',
  (open, kind) => {
    /** SQLite prepares one statement at a time. */
    const run = async (sql: string) => {
      for (const statement of sql.split(';')) await runSql(open.store.url, statement);
    };
    const nothing = { findings: [], notLookedAt: [] };

    test('finds nothing in a store as it should be, of which it looks at as many API keys as a sample has, or at all', async () => {
      assert.deepEqual(await open.store.check(), { ...nothing, looked: { keys: 0, filters: 8 } });
      const { id } = await createOrganization(open.writer);
      await importKeys(open.writer, id, numberedKeys(KEYS));
      const seen: number[] = [];
      const report = await open.store.check({ onProgress: keys => seen.push(keys) });
      assert.deepEqual(report, { ...nothing, looked: { keys: KEYS, filters: 8 } });
      assert.ok(seen.length > 0 && seen.every(keys => keys <= KEYS));
      for (const sample of [1, 100, 1_000_000])
        assert.equal((await open.store.check({ sample })).looked.keys, Math.min(sample, KEYS));
    });

    for (const [sql, told, fix] of INDEXES[kind.name] ?? [])
      test(`tells once what "${sql}" makes slow, with the statements that mend it`, async () => {
        await run(sql);
        const [finding, ...others] = (await open.store.check({ sample: 1 })).findings;
        assert.deepEqual([finding?.about, finding?.problem.split(': ')[0], others], ['indexes', told, []]);
        assert.match(String(finding?.fix), fix);
        await run(String(finding?.fix));
        assert.deepEqual((await open.store.check({ sample: 1 })).findings, []);
      });

    test('finds rows that something else has written', async () => {
      const { sql, told } = ROWS[kind.name as keyof typeof ROWS];
      await run(sql);
      const { findings } = await open.store.check();
      const counts = findings.map(({ about, problem, count }) => [problem.split(':')[0], [about, count]]);
      const expected = Object.entries(told).map(([field, count]) => [field, ['rows', count]]);
      assert.deepEqual(Object.fromEntries(counts), Object.fromEntries(expected));
    });
  },
  [sqlite, postgres],
);
