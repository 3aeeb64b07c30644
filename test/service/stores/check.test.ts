import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkStore } from '../../../src/operator/check-store.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { createOrganization, importKeys, sqlite } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { postgres } from '../../support/stores.ts';

const KEYS = 2500;

/** What is done to the schema, what is told of it, and what mends it. */
const SCHEMA: Readonly<Record<string, readonly (readonly [sql: string, told: string, fix: RegExp])[]>> = {
  SQLite: [
    [
      'DROP INDEX api_keys_status',
      'schema: the index api_keys_status is missing, or another one',
      /^DROP index IF EXISTS api_keys_status; CREATE INDEX api_keys_status ON api_keys \(/,
    ],
    [
      'DROP INDEX api_keys_status; CREATE INDEX api_keys_status ON api_keys (creator)',
      'schema: the index api_keys_status is missing, or another one',
      /^DROP index IF EXISTS api_keys_status; CREATE INDEX api_keys_status ON api_keys \(/,
    ],
    [
      'DROP TRIGGER organizations_creation_never_changes',
      'schema: the trigger organizations_creation_never_changes is missing, or another one',
      /^DROP trigger IF EXISTS organizations_creation_never_changes; CREATE TRIGGER organizations_creation_never_changes /,
    ],
    [
      'CREATE TRIGGER undo BEFORE UPDATE OF revoked_at ON admin_keys BEGIN SELECT raise(ignore); END',
      'schema: a trigger that migrate did not make may drop what is written',
      /^DROP TRIGGER "undo"$/,
    ],
  ],
  PostgreSQL: [
    [
      'DROP INDEX keyroster.api_keys_listing',
      'indexes: the index api_keys_listing, by which pages are read, is missing or invalid',
      /^DROP INDEX CONCURRENTLY IF EXISTS "keyroster"\.api_keys_listing; CREATE INDEX CONCURRENTLY api_keys_listing ON keyroster\.api_keys \(/,
    ],
    [
      'ALTER TABLE keyroster.api_keys DROP CONSTRAINT api_keys_pkey',
      'indexes: the index api_keys_pkey, by which pages are read, is missing or invalid',
      /; ALTER TABLE keyroster\.api_keys ADD PRIMARY KEY \(organization_id, id\)$/,
    ],
    [
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'keyroster.api_keys_listing_status'::regclass",
      'indexes: the index api_keys_listing_status, by which pages are read, is missing or invalid',
      /^DROP INDEX CONCURRENTLY IF EXISTS "keyroster"\.api_keys_listing_status; CREATE INDEX CONCURRENTLY /,
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
      for (const statement of sql.split(/;(?! END)/)) await runSql(open.store.url, statement);
    };
    test('finds nothing in a store as it should be, of which it looks at each API key', async () => {
      assert.deepEqual(await checkStore(open.store), { findings: [], keys: 0, notLookedAt: [] });
      const { id } = await createOrganization(open.writer);
      await importKeys(open.writer, id, numberedKeys(KEYS));
      assert.deepEqual(await checkStore(open.store), { findings: [], keys: KEYS, notLookedAt: [] });
    });

    for (const [sql, told, fix] of SCHEMA[kind.name] ?? [])
      test(`tells what "${sql}" did, with the statements that mend it`, async () => {
        await run(sql);
        const [finding, ...others] = (await checkStore(open.store)).findings;
        assert.deepEqual([`${finding?.about}: ${finding?.problem}`, others], [told, []]);
        assert.match(String(finding?.fix), fix);
        for (const statement of String(finding?.fix).split(/; (?=CREATE|ALTER)/))
          await runSql(open.store.url, statement);
        assert.deepEqual((await checkStore(open.store)).findings, []);
      });

    test('finds rows that something else has written', async () => {
      const { sql, told } = ROWS[kind.name as keyof typeof ROWS];
      await run(sql);
      const findings = (await checkStore(open.store)).findings.filter(({ about }) => about === 'rows');
      const counts = findings.map(({ about, problem, count }) => [problem.split(':')[0], [about, count]]);
      const expected = Object.entries(told).map(([field, count]) => [field, ['rows', count]]);
      assert.deepEqual(Object.fromEntries(counts), Object.fromEntries(expected));
    });
  },
  [sqlite, postgres],
);
