import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';

/** An arbitrary number that all processes share: "KeyRost" in ASCII. */
const ADVISORY_LOCK = '21221573961933684';
const TRY_LOCK = `SELECT pg_try_advisory_lock(${ADVISORY_LOCK})::text AS taken`;
const TRY_EVERY_MS = 100;
/** A migration that another one makes wait for longer says so: that one may hang. */
const TELL_AFTER_MS = 2_000;

/**
 * Takes the lock under which one process at a time migrates, until the connection ends. Waits for as long as another
 * process holds it, and after two seconds calls `onWaiting` with who that is; what it throws ends the wait.
 *
 * It asks again and again: a statement that waits has a snapshot, and `CREATE INDEX CONCURRENTLY` of the other process would
 * wait for that in turn.
 */
export async function takeMigrationLock(client: Client, onWaiting: (holder: string) => void): Promise<void> {
  const tellAt = performance.now() + TELL_AFTER_MS;
  let isTold = false;
  while ((await client.query<{ taken: string }>(TRY_LOCK)).rows[0]?.taken !== 'true') {
    if (!isTold && performance.now() > tellAt) {
      onWaiting(await nameHolder(client));
      isTold = true;
    }
    await setTimeout(TRY_EVERY_MS);
  }
}

/**
 * Advisory locks with a number of 64 bits have `objsubid` 1, and its halves in `classid` and `objid`. A process of the server itself,
 * such as `autovacuum worker`, has no application.
 */
const HOLDER = `
  SELECT pid, usename AS username, state, to_char(xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since,
    CASE application_name WHEN '' THEN backend_type ELSE format('application "%s"', application_name) END AS program
  FROM pg_stat_activity WHERE pid IN (SELECT pid FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND objsubid = 1
      AND (classid::bigint << 32) + objid::bigint = ${ADVISORY_LOCK}
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/** PostgreSQL shows the state and the time of another role's process only to those with `pg_read_all_stats`. */
type Holder = Record<'pid' | 'program', string> & Record<'username' | 'state' | 'since', string | null>;

async function nameHolder(client: Client): Promise<string> {
  const { rows } = await client.query<Holder>(HOLDER);
  const [holder] = rows;
  const what = 'another process that migrates this database';
  if (!holder) return what;
  const { pid, username, program, state, since } = holder;
  const known = [
    `PID ${pid}, ${program}`,
    ...(username === null ? [] : [`user ${username}`]),
    ...(state === null ? [] : [state]),
    ...(since === null ? [] : [`in a transaction since ${since}`]),
  ];
  return `${what}: ${known.join(', ')}. If it hangs, end it: SELECT pg_terminate_backend(${pid})`;
}
