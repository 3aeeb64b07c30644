import type { Client } from 'pg';
import { inSavepoint } from '../../transaction.ts';
import { LOCK_TIMEOUT } from '../catalogue/catalogue.ts';

/** Runs the work in a transaction that is never committed. What it makes shows what PostgreSQL thinks of it. */
export async function inTrial<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    return await work();
  } finally {
    await client.query('ROLLBACK').catch(() => {}); // on a broken connection the server rolls back
  }
}

/**
 * The SQLSTATE with which PostgreSQL refuses a statement; `null`: it is done. There are many: no right, a standby, no such name, a
 * lock that is held, an event trigger of the vendor's with a code of its own.
 */
export async function refusal(client: Client, sql: string): Promise<string | null> {
  try {
    await inSavepoint(client, () => client.query(sql));
    return null;
  } catch (error) {
    const code = sqlState(error);
    if (code === null) throw error;
    return code;
  }
}

/** `null` for an error that isn't PostgreSQL's, such as that of a broken connection. */
export function sqlState(error: unknown): string | null {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return error instanceof Error && severity !== undefined && typeof code === 'string' ? code : null;
}
