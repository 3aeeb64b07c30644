import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';

/** An arbitrary number that all processes share: "KeyRost" in ASCII. */
const ADVISORY_LOCK = '21221573961933684';
const TRY_LOCK = `SELECT pg_try_advisory_lock(${ADVISORY_LOCK})::text AS taken`;
const TRY_EVERY_MS = 100;
/** A migration that another one makes wait for longer says so: that one may hang. */
const TELL_AFTER_MS = 2_000;

/** Whoever has it may hang. An advisory lock with a number of 64 bits has its halves in `classid` and `objid`. */
const HELD =
  'another process that migrates this database. This tells which, and pg_terminate_backend(pid) ends it: ' +
  'SELECT * FROM pg_stat_activity WHERE pid IN (SELECT pid FROM pg_locks ' +
  `WHERE (classid::bigint << 32) + objid::bigint = ${ADVISORY_LOCK} AND granted)`;

/**
 * Takes the lock under which one process at a time migrates, until the connection ends. Waits for as long as another
 * process holds it, and after two seconds calls `onWaiting` with how to find that; what it throws ends the wait.
 *
 * It asks again and again: a statement that waits has a snapshot, and `CREATE INDEX CONCURRENTLY` of the other process would
 * wait for that in turn.
 */
export async function takeMigrationLock(client: Client, onWaiting: (holder: string) => void): Promise<void> {
  const tellAt = performance.now() + TELL_AFTER_MS;
  let isTold = false;
  while ((await client.query<{ taken: string }>(TRY_LOCK)).rows[0]?.taken !== 'true') {
    if (!isTold && performance.now() > tellAt) {
      onWaiting(HELD);
      isTold = true;
    }
    await setTimeout(TRY_EVERY_MS);
  }
}
