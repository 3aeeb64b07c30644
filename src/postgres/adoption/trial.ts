import { DatabaseError } from 'pg';
import type { Statements } from '../statements.ts';
import { inSavepoint } from '../transaction.ts';
import { LOCK_TIMEOUT } from './catalogue/catalogue.ts';
import { identifier, type TableName, tableSql } from './mapping/table-name.ts';

/** Runs the work in a transaction that is never committed. What it makes shows what PostgreSQL thinks of it. */
export async function inTrial<T>(client: Statements, work: () => Promise<T>): Promise<T> {
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
export async function refusal(client: Statements, sql: string): Promise<string | null> {
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
  return error instanceof DatabaseError ? (error.code ?? null) : null;
}

/** An empty copy of the table by the same name, which an expression may use, for `inTrial`; `null` where the role may make none. */
export async function emptyCopy(client: Statements, table: TableName): Promise<string | null> {
  const copy = `pg_temp.${identifier(table.table)}`;
  const refused = await refusal(client, `CREATE TABLE ${copy} (LIKE ${tableSql(table)} INCLUDING GENERATED)`);
  return refused === null ? copy : null;
}
