import type { Client } from 'pg';

/** An arbitrary number that all processes share: "KeyRost" in ASCII. */
const ADVISORY_LOCK = '21221573961933684';
/** Waits for as long as `lock_timeout` says. */
export const TAKE_MIGRATION_LOCK = `SELECT pg_advisory_lock(${ADVISORY_LOCK})`;
/** A migration that another one makes wait for longer says so: that one may hang. */
const TELL_AFTER_MS = 2_000;
/** SQLSTATE of a lock that wasn't free in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Takes the lock under which one process at a time migrates, until the connection ends. Waits for as long as another
 * process holds it, and after two seconds calls `onWaiting` with a message that says who does.
 */
export async function takeMigrationLock(client: Client, onWaiting: (message: string) => void): Promise<void> {
  await client.query(`SET lock_timeout = ${TELL_AFTER_MS}`);
  try {
    await client.query(TAKE_MIGRATION_LOCK);
    await client.query('RESET lock_timeout');
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    onWaiting(await waitingMessage(client));
    await client.query('RESET lock_timeout');
    await client.query(TAKE_MIGRATION_LOCK);
  }
}

/** Advisory locks with a number of 64 bits have `objsubid` 1, and its halves in `classid` and `objid`. */
const HOLDER = `
  SELECT pid, application_name, usename, coalesce(host(client_addr), 'a Unix socket') AS address,
    to_char(backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND (classid::bigint << 32) + objid::bigint = ${ADVISORY_LOCK}
    AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

async function waitingMessage(client: Client): Promise<string> {
  const { rows } = await client.query<Record<string, string | null>>(HOLDER);
  const [holder] = rows;
  if (!holder) return 'waiting for another process that migrates this database';
  const { pid, application_name: application, usename: user, address, since } = holder;
  return (
    `waiting for another process that migrates this database: PID ${pid}, application "${application}", user ${user}, ` +
    `from ${address}, connected since ${since}. If it hangs, end it: SELECT pg_terminate_backend(${pid})`
  );
}
