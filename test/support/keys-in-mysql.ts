/** The table of examples/mysql/table.sql: its rows, and how many of them are read. */
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import { formatTimestamp } from '../../src/shared/record/timestamp.ts';

// biome-ignore lint/suspicious/noExplicitAny: mysql2 isn't a dependency, so its types aren't there
type Driver = any;

const COLUMNS =
  'id, account_id, project_id, name, key_hash, hint, enabled, created_by, created_by_type, created_at';

export async function insertKeys(
  root: Driver,
  table: string,
  records: readonly ApiKey[],
  account = 'acct_1',
) {
  const rows = records.map(key => [
    ...[key.id, account, key.workspaceId, key.name, Buffer.from(key.id), key.partialKeyHint],
    ...[
      key.status === 'active',
      key.createdBy.id,
      key.createdBy.type,
      formatTimestamp(key.createdAt).slice(0, -1),
    ],
  ]);
  await root.query(`INSERT INTO ${table} (${COLUMNS}) VALUES ?`, [rows]);
}

/** Of the whole server, on which nothing else runs, so of many calls. */
export async function rowsRead(root: Driver, list: () => Promise<unknown>): Promise<number> {
  const CALLS = 5;
  const count = async () => {
    const [rows] = await root.query(
      "SHOW GLOBAL STATUS WHERE Variable_name IN ('Handler_read_key', 'Handler_read_next', 'Handler_read_prev')",
    );
    return rows.reduce((sum: number, { Value }: { Value: string }) => sum + Number(Value), 0);
  };
  const none = await count();
  const before = await count();
  for (let call = 0; call < CALLS; call++) await list();
  const after = await count();
  return Math.round((after - before - (before - none)) / CALLS);
}
