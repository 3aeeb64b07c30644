import type { Client } from 'pg';

/** Runs the work in a transaction, which is rolled back if the work throws. */
export async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // On a broken connection this fails too, but then the server rolls back.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
