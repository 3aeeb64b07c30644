import type { Statements } from './statements.ts';

/** As many a second as PostgreSQL puts into an index of several columns, or compares with a constraint. */
export const ROWS_A_SECOND = 500_000;
/** Of tables without statistics. */
const ROW_BYTES = 300;

/** Statements that take as long with a million rows as with none. What is not known to be one is taken for one that reads all rows. */
const READING_NO_ROWS = [
  /^(CREATE (OR REPLACE )?(SCHEMA|TABLE|FUNCTION|TRIGGER|VIEW)|DROP|COMMENT|SET|GRANT|REVOKE)\b/,
  /^ALTER TABLE \S+ (DROP|RENAME|ENABLE|DISABLE)\b/,
  /^ALTER TABLE \S+ ALTER (COLUMN )?\w+ (SET DEFAULT|DROP)\b/,
  /^ALTER TABLE \S+ ADD CONSTRAINT .*\bNOT VALID$/s,
  /^ALTER TABLE \S+ ADD COLUMN (?!.*\b(CHECK|GENERATED|REFERENCES|UNIQUE|PRIMARY|\w+\(\)))/s,
];

export function readsRows(statement: string): boolean {
  const text = statement.trim();
  return !READING_NO_ROWS.some(each => each.test(text));
}

/** About how many rows these statements read in all. Tables that a migration makes have none yet. */
export async function rowsReadBy(client: Statements, statements: readonly string[]): Promise<number> {
  let rows = 0;
  for (const statement of statements.filter(readsRows)) {
    const names = Array.from(statement.matchAll(/\bkeyroster\.(\w+)/g), ([, name = '']) => name);
    for (const name of new Set(names)) rows += await rowsOf(client, name);
  }
  return rows;
}

/** About how many; 0 for what is no table. */
export async function rowsOf(client: Statements, table: string): Promise<number> {
  const { rows } = await client.query(
    `SELECT (CASE WHEN reltuples <= 0 THEN pg_relation_size(oid) / ${ROW_BYTES} ELSE reltuples END)::bigint::text AS rows
     FROM pg_class WHERE relkind = 'r' AND oid = to_regclass('keyroster.' || $1::text)`,
    [table],
  );
  return Number(rows[0]?.rows ?? 0);
}
