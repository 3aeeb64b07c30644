import type { Statements } from './statements.ts';

/** Whether this database has the Citus extension. */
export async function hasCitus(client: Statements): Promise<boolean> {
  const { rows } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  return rows.length > 0;
}
