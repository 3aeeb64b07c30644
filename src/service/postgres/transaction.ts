import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { Refused } from '../../shared/record/faults.ts';
import type { Statements } from './statements.ts';

/**
 * Runs the work in a transaction, which is rolled back if the work throws. Each statement sees what others have committed
 * before it, whatever the role's default is: work that waited for a lock has to see what it waited for.
 */
export async function inTransaction<T>(client: Client, work: (client: Client) => Promise<T>): Promise<T> {
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // On a broken connection this fails too, but then the server rolls back.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Names of one process differ: work that runs at once in one transaction fails, instead of rolling back half of the other. */
let savepoints = 0;

/**
 * Runs the work in a transaction that has begun, and neither commits it nor rolls it back. If the work throws, what it did
 * is undone, and the transaction can go on. PostgreSQL refuses the savepoint where there is no transaction.
 */
export async function inSavepoint<T>(transaction: Statements, work: () => Promise<T>): Promise<T> {
  savepoints += 1;
  const savepoint = `keyroster_${savepoints}`;
  await transaction.query(`SAVEPOINT ${savepoint}`);
  try {
    const result = await work();
    await transaction.query(`RELEASE SAVEPOINT ${savepoint}`);
    return result;
  } catch (error) {
    // On a broken connection this fails too, but then the server rolls back all of the transaction.
    await transaction.query(`ROLLBACK TO SAVEPOINT ${savepoint}`).catch(() => {});
    throw error;
  }
}

/** SQLSTATEs of a deadlock and of a serialization failure: the work was undone, as another transaction was in its way. */
const UNDONE_FOR_ANOTHER = ['40P01', '40001'];
const MAX_ATTEMPTS = 10;
/** Random, as whoever was in the way may be at the same keys again and again. */
const MAX_WAIT_MS = 200;

/** Runs work that is undone as a whole when it throws. Where PostgreSQL ended it for another transaction, it is run again. */
export async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (attempt === MAX_ATTEMPTS || !UNDONE_FOR_ANOTHER.includes(String(code))) throw error;
      await setTimeout(Math.random() * MAX_WAIT_MS);
    }
  }
}

/** While a statement waits for a lock, all that come after it wait too. The service refuses pages that wait for 500 ms. */
const LOCK_TIMEOUT_MS = 300;
const TRIES = 10;
const PAUSE_MS = 700;
/** SQLSTATE of a lock that wasn't free in time. */
export const LOCK_NOT_AVAILABLE = '55P03';

/** When the wait has ended, nothing tells who it was. */
export const WHO_HOLDS_IT =
  'while it waits, this tells who holds the lock: SELECT * FROM pg_stat_activity WHERE pid IN (SELECT unnest(pg_blocking_pids(pid)) FROM pg_stat_activity)';

/** Is told that a statement waits, and how to find out for whom. */
export type OnWaiting = (message: string) => void;

/**
 * Runs the work in a transaction that holds nobody up while it waits for a lock: it gives up soon, and is run again. `onWaiting` is
 * told once. Throws `Refused` when the lock isn't free after all tries.
 */
export async function inRetriedTransaction<T>(
  client: Client,
  onWaiting: OnWaiting,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(client, async () => {
        for (const setting of SETTINGS) await client.query(`SET LOCAL ${setting}`);
        return await work();
      });
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
      if (tries === TRIES)
        throw new Refused(
          `database: a lock is not free, and nothing of this step was changed: run it again; ${WHO_HOLDS_IT}`,
          { cause: error },
        );
      if (tries === 1) onWaiting(`waiting for a lock; ${WHO_HOLDS_IT}`);
      await setTimeout(PAUSE_MS);
    }
  }
}

/** PostgreSQL without Citus takes the settings of Citus and ignores them. */
const SETTINGS = [
  "citus.propagate_set_commands = 'local'", // so that the next one holds for locks of the workers too
  `lock_timeout = ${LOCK_TIMEOUT_MS}`,
  "citus.multi_shard_modify_mode = 'sequential'", // several tables are changed, over one connection to each worker
  'citus.enable_unsafe_triggers = on', // for triggers, which could access other shards; ours use their own row only
];
