import type { Client } from 'pg';
import { Refused } from '../../../roster/errors.ts';
import type { LockWatch } from '../../lock-watch.ts';
import { inTransaction } from '../../transaction.ts';
import { reasonOf } from '../failure.ts';
import type { Step } from './steps.ts';

export const LOCK_TIMEOUT_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';
const NOT_IMMUTABLE = '42P17';
const IMMUTABLE_HINT =
  ': the text of an enum isn\'t (give "values", or CASE with each label), nor is what depends on the time or on settings';

/**
 * No wait for a lock is longer than this, since all that come after us would wait too. A statement whose client is gone ends
 * soon (PostgreSQL 14 and later), so that one that was killed doesn't hold up the next.
 */
export async function limitWaits(client: Client): Promise<void> {
  await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await client.query(`SELECT set_config('client_connection_check_interval', '200ms', false)
    WHERE current_setting('client_connection_check_interval', true) IS NOT NULL`);
}

/** Runs one step. Throws `Refused`, with who holds the lock where one isn't free in time. */
export async function runStep(client: Client, watch: LockWatch, step: Step): Promise<void> {
  const { what, statements } = step;
  const work = async () => {
    if (statements.length === 1) await client.query(String(statements[0]));
    else
      await inTransaction(client, async () => {
        for (const statement of statements) await client.query(statement);
      });
  };
  await tellWhyNot(client, watch, what, work, () => undo(client, step));
}

/** Does what may wait for a lock, and says why where it fails. Throws `Refused`. */
export async function tellWhyNot<T>(
  client: Client,
  watch: LockWatch,
  what: string,
  work: () => Promise<T>,
  undo = async () => '',
): Promise<T> {
  try {
    return await watch.during(client, work);
  } catch (error) {
    const { code } = error as { code?: unknown };
    const reason =
      code === LOCK_NOT_AVAILABLE
        ? `a lock was not free within ${LOCK_TIMEOUT_MS / 1000} s: ${watch.holders()}`
        : `${reasonOf(error)}${code === NOT_IMMUTABLE ? IMMUTABLE_HINT : ''}`;
    const left = await undo();
    throw new Refused(
      `adopt: could not ${what}: ${reason}${left}. What was done before stays: run it again`,
      {
        cause: error,
      },
    );
  }
}

/** An index that could not be made whole would slow writes down, and serve nothing. Returns what is left of it. */
async function undo(client: Client, { undo }: Step): Promise<string> {
  if (undo === undefined) return '';
  try {
    await client.query(undo);
    return '';
  } catch {
    return `; what was made of it is left, which the next run drops, or this does: ${undo}`;
  }
}
