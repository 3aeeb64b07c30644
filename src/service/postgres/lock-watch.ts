import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';

const EVERY_MS = 100;

/** What a process of `pg_stat_activity` is. One of the server itself, such as `autovacuum worker`, has no application. */
const PROGRAM = `CASE application_name WHEN '' THEN backend_type ELSE format('application "%s"', application_name) END`;

/** The columns of a `Holder`, of all processes. */
const PROCESSES = `
  SELECT pid, usename AS username, ${PROGRAM} AS program,
    state, to_char(xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since
  FROM pg_stat_activity`;

const HOLDERS = `${PROCESSES} WHERE pid = ANY (pg_blocking_pids($1::integer)) ORDER BY xact_start`;

/** PostgreSQL shows the state and the time of another role's process only to those with `pg_read_all_stats`. */
type Holder = Record<'pid' | 'program', string> & Record<'username' | 'state' | 'since', string | null>;

/** Sees who makes a statement wait, and cancels it, over a connection of its own: when the wait has ended, nothing tells who it was. */
export class LockWatch {
  readonly #client: Client;
  #holders: readonly Holder[] = [];
  #pid: string | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  async during<T>(waiting: Client, work: () => Promise<T>): Promise<T> {
    const { rows } = await waiting.query<{ pid: string }>('SELECT pg_backend_pid()::text AS pid');
    this.#holders = [];
    this.#pid = rows[0]?.pid;
    let looking: Promise<void> | undefined;
    const timer = setInterval(() => {
      looking ??= this.#look().finally(() => {
        looking = undefined;
      });
    }, EVERY_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      await looking;
    }
  }

  /** The work goes on without it, so where its connection broke it only doesn't know who holds a lock. */
  async #look(): Promise<void> {
    const { rows } = await this.#client.query<Holder>(HOLDERS, [this.#pid]).catch(() => ({ rows: [] }));
    if (rows.length > 0) this.#holders = rows;
  }

  /** Ends the statement that runs or waits, if one does. */
  async cancel(): Promise<void> {
    await this.#client.query('SELECT pg_cancel_backend($1::integer)', [this.#pid]).catch(() => {});
  }

  /** Whether the statement had to wait for anyone. */
  get hasWaited(): boolean {
    return this.#holders.length > 0;
  }

  /** Who held the lock that the statement waited for last. */
  holders(): string {
    const texts = this.#holders.map(describeHolder);
    return texts.length === 0 ? 'PostgreSQL does not say who holds it' : `held by ${texts.join('; ')}`;
  }
}

function describeHolder({ pid, username, program, state, since }: Holder): string {
  const known = [
    `PID ${pid}, ${program}`,
    ...(username === null ? [] : [`user ${username}`]),
    ...(state === null ? [] : [state]),
    ...(since === null ? [] : [`in a transaction since ${since}`]),
  ];
  return known.join(', ');
}

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
