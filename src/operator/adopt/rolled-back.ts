import { DatabaseError } from 'pg';
import type { Statements } from '../../service/postgres/statements.ts';

/** Whoever changes the table holds a lock that a read waits for, and others wait behind that. */
const LIMITS = `SET LOCAL statement_timeout = '10s'; SET LOCAL lock_timeout = '2s'; SET LOCAL synchronize_seqscans = off`;

/** Runs the work in a transaction that is never committed and holds nobody up for long. Each of its samples begins at the same row. */
export async function inTrial<T>(
  client: Statements,
  access: 'READ ONLY' | 'READ WRITE',
  work: () => Promise<T>,
): Promise<T> {
  try {
    await client.query(`BEGIN ${access}; ${LIMITS}`);
    return await work();
  } finally {
    await client.query('ROLLBACK').catch(() => {}); // on a broken connection the server rolls back
  }
}

/** PostgreSQL's refusal of an expression or of a value, and not a connection that broke or a statement that took too long. */
export function isRefusal(error: unknown): error is DatabaseError {
  // A function of the vendor's may raise any.
  return (
    error instanceof DatabaseError &&
    (error.where !== undefined || !/^(?:08|40|5[3-8]|XX)/.test(error.code ?? ''))
  );
}
