/** `TEST_DATABASE_URL=mysql://… node --test store.test.mjs`: over a table as yours in a database of its own, as all rows are deleted. */
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { conformanceChecks } from 'keyroster/conformance';
import { createConnection } from 'mysql2/promise';
import { MySqlStore } from './store.mjs';

const url = process.env.TEST_DATABASE_URL;
const database = await createConnection(url);
after(() => database.end());
await database.query("SET time_zone = '+00:00'");

const column = `SELECT DATA_TYPE AS type, DATETIME_PRECISION AS decimals FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'api_keys' AND COLUMN_NAME = 'created_at'`;
const [[{ type, decimals }]] = await database.query(column);

const put = (account_id, { id, name, created_at, created_by, partial_key_hint, status, workspace_id }) =>
  database.query('REPLACE INTO api_keys SET ?', {
    ...{ id, account_id, name, project_id: workspace_id, hint: partial_key_hint },
    ...{ created_by: created_by.id, created_by_type: created_by.type, created_at: created_at.slice(0, -1) },
    ...{ enabled: status === 'active', revoked_at: status === 'archived' ? '2026-01-01' : null },
    key_hash: createHash('sha256').update(id).digest(),
  });

const checks = conformanceChecks({
  async open(content) {
    await database.query('DELETE FROM api_keys');
    for (const [account, records] of content) for (const record of records) await put(account, record);
    const roster = new MySqlStore(url, type);
    return { roster, close: () => roster.close() };
  },
  change: (_, account, record) => put(account, record),
  timeDecimals: Number(decimals),
});
for (const { name, run } of checks)
  test(
    name,
    { skip: type === 'timestamp' && /before 1970/.test(name) && 'a TIMESTAMP has no such times' },
    run,
  );
