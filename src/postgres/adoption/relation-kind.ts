import type { Statements } from '../statements.ts';

/** What `keyroster.NAME` is; `null`: there is none. */
export async function relationKind(client: Statements, name: string): Promise<'table' | 'view' | null> {
  const { rows } = await client.query(
    `SELECT relkind::text AS kind FROM pg_class WHERE oid = to_regclass('keyroster.' || $1::text)`,
    [name],
  );
  const kind = rows[0]?.kind;
  return kind === undefined ? null : kind === 'v' ? 'view' : 'table';
}
