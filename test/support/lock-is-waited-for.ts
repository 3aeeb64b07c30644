import { runSql } from './run-sql.ts';

/** PostgreSQL itself waits for other locks, such as that of a table that grows. */
const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
  AND wait_event IN ('transactionid', 'tuple')`;

/** Waits until a statement of this database waits for another transaction. */
export async function lockIsWaitedFor(url: string): Promise<void> {
  while ((await runSql(url, WAITING)).length === 0) await new Promise(resolve => setTimeout(resolve, 10));
}
