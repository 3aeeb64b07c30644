import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { until } from './until.ts';

/** Runs SQL in a store as its owner, past Keyroster. Returns the rows. */
export async function runSql(url: string, text: string): Promise<Record<string, unknown>[]> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length));
    try {
      return database.prepare(text).all();
    } finally {
      database.close();
    }
  }
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** PostgreSQL itself waits for other locks, such as that of a table that grows. */
const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
  AND wait_event IN ('transactionid', 'tuple')`;

/** Waits until a statement of one of these databases waits for another transaction. */
export async function lockIsWaitedFor(...urls: readonly string[]): Promise<void> {
  await until('a lock is waited for', async () => {
    for (const url of urls) if ((await runSql(url, WAITING)).length > 0) return true;
    return false;
  });
}
