import type { Statements } from './statements.ts';

export interface DeclaredColumn {
  readonly name: string;
  /** As SQL. */
  readonly type: string;
}

/** The columns of the declared fields. */
export async function declaredColumns(client: Statements): Promise<readonly DeclaredColumn[]> {
  const { rows } = await client.query(COLUMNS);
  return rows.map(({ name, type }) => ({ name, type }));
}

const COLUMNS = `
  SELECT name, format_type(atttypid, atttypmod) AS type FROM keyroster.fields JOIN pg_attribute ON attname = name
  WHERE removed_at IS NULL AND attrelid = 'keyroster.api_keys'::regclass AND NOT attisdropped ORDER BY number`;
