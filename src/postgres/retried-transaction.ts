import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { Refused } from '../roster/errors.ts';
import type { LockWatch } from './lock-watch.ts';
import { inTransaction } from './transaction.ts';

/** While a statement waits for a lock, all that come after it wait too. The service refuses pages that wait for 500 ms. */
const LOCK_TIMEOUT_MS = 300;
const TRIES = 10;
const PAUSE_MS = 700;
/** SQLSTATE of a lock that wasn't free in time. */
const LOCK_NOT_AVAILABLE = '55P03';

export interface Waiting {
  readonly watch: LockWatch;
  readonly onWaiting: (message: string) => void;
}

/**
 * Runs the work in a transaction that holds nobody up while it waits for a lock: it gives up soon, and is run again. `onWaiting` is
 * told once who holds the lock. Throws `Refused` when it isn't free after all tries.
 */
export async function inRetriedTransaction<T>(
  client: Client,
  { watch, onWaiting }: Waiting,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await watch.during(client, () =>
        inTransaction(client, async () => {
          for (const setting of SETTINGS) await client.query(`SET LOCAL ${setting}`);
          return await work();
        }),
      );
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
      if (tries === TRIES)
        throw new Refused(
          `database: a lock is not free: ${watch.holders()}; nothing of this step was changed: run it again when that has ended`,
          { cause: error },
        );
      if (tries === 1) onWaiting(`waiting for a lock: ${watch.holders()}`);
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
