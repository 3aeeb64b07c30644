import type { Client } from 'pg';

/** Runs the work in a transaction: all of it is kept, or, when it throws, none. */
export async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // On a broken connection this fails too, and the server has rolled back by itself.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
