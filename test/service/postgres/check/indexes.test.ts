import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Client } from 'pg';
import { connect } from '../../../support/connect.ts';
import { newStore } from '../../../support/opened.ts';
import { suiteScope } from '../../../support/scope.ts';
import type { TestStore } from '../../../support/stores.ts';

/** Each index of pages, and what they are filtered by. */
const INDEXES: Readonly<Record<string, string>> = {
  api_keys_listing: 'without a filter',
  api_keys_listing_status: 'filtered by status',
  api_keys_listing_status_workspace_id_created_by_id:
    'filtered by status and workspace_id and created_by_user_id',
};

describe('check of the indexes', () => {
  const scope = suiteScope();
  let store: TestStore;
  let client: Client;
  before(async () => {
    store = await newStore(scope);
    client = await connect(scope, store.url);
  });

  /** The one thing that is wrong. Its statements mend it. */
  async function assertOneCause(problem: string, fix: RegExp): Promise<void> {
    const { findings } = await store.check();
    assert.deepEqual(
      findings.map(({ about, problem: text }) => [about, text.split(': ')[0]]),
      [['indexes', problem]],
    );
    const statements = String(findings[0]?.fix);
    assert.match(statements, fix);
    await client.query(statements);
    assert.deepEqual((await store.check()).findings, []);
  }

  for (const [name, filter] of Object.entries(INDEXES)) {
    test(`tells that pages ${filter} lack their index, once, with the statement that makes it`, async () => {
      await client.query(`DROP INDEX keyroster.${name}`);
      await assertOneCause(
        `pages ${filter} lack their index`,
        new RegExp(`^CREATE INDEX CONCURRENTLY ${name} ON keyroster\\.api_keys \\(`),
      );
    });
  }

  test('tells that an index is not valid, with the statement that makes it again', async () => {
    await client.query(
      "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'keyroster.api_keys_listing_status'::regclass",
    );
    await assertOneCause(
      'pages filtered by status lack their index',
      /^REINDEX INDEX CONCURRENTLY "keyroster"\."api_keys_listing_status"$/,
    );
  });

  test('tells that cursors lack the index that finds them', async () => {
    await client.query('ALTER TABLE keyroster.api_keys DROP CONSTRAINT api_keys_pkey');
    await assertOneCause(
      'pages with after_id or before_id lack the index that finds the cursor',
      /^ALTER TABLE keyroster\.api_keys ADD PRIMARY KEY \(organization_id, id\)$/,
    );
  });
});
