import type { Client } from 'pg';
import type { Statements } from './statements.ts';

/** Runs the work in a transaction, which is rolled back if the work throws. */
export async function inTransaction<T>(client: Client, work: (client: Client) => Promise<T>): Promise<T> {
  await client.query('BEGIN');
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
 * Runs the work in a transaction that has begun, and neither commits it nor rolls it back. If the work throws, what it did is undone,
 * and the transaction can go on. PostgreSQL refuses the savepoint where there is no transaction.
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
