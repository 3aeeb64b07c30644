import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
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
