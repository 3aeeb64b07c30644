import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { describeHolder, type Holder, PROCESSES } from './lock-watch.ts';

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

/** Advisory locks with a number of 64 bits have `objsubid` 1, and its halves in `classid` and `objid`. */
const HOLDER = `${PROCESSES} WHERE pid IN (SELECT pid FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND (classid::bigint << 32) + objid::bigint = ${ADVISORY_LOCK}
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

async function nameHolder(client: Client): Promise<string> {
  const { rows } = await client.query<Holder>(HOLDER);
  const [holder] = rows;
  const what = 'another process that migrates this database';
  return holder
    ? `${what}: ${describeHolder(holder)}. If it hangs, end it: SELECT pg_terminate_backend(${holder.pid})`
    : what;
}
