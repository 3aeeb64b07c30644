import { Refused } from '../../../roster/errors.ts';
import type { Statements } from '../../statements.ts';
import { readableTable, type TableName } from '../mapping/table-name.ts';

/** An ordinary table of the database. */
export interface FoundTable extends TableName {
  readonly oid: string;
}

/**
 * The tables of this name. One without quotes is looked for in any case of its letters, as a name is often typed without the quotes
 * that SQL needs; `exact` is what SQL would read. Without a schema it is that of a table which is found without one.
 */
const TABLES = `
  SELECT c.oid::text AS oid, nspname::text AS schema, relname::text AS table, relkind::text AS kind,
    relispartition::text AS partition, EXISTS (SELECT FROM pg_inherits WHERE inhparent = c.oid)::text AS children,
    (relname = parts[cardinality(parts)] AND nspname = CASE cardinality(parts) WHEN 1 THEN nspname ELSE parts[1] END)::text AS exact
  FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace, parse_ident($1::text) AS parts
  WHERE relkind IN ('r', 'p', 'v', 'm', 'f')
    AND CASE WHEN $1::text ~ '"' THEN relname ELSE lower(relname) END = parts[cardinality(parts)]
    AND CASE cardinality(parts) WHEN 1 THEN pg_table_is_visible(c.oid)
      WHEN 2 THEN CASE WHEN $1::text ~ '"' THEN nspname ELSE lower(nspname) END = parts[1] END
  ORDER BY nspname, relname`;
const INVALID_NAME = '22023';

/** The table that a person names, with its schema or without: `apikey`, `auth."ApiKey"`. Throws `Refused`. */
export async function findTable(client: Statements, given: string): Promise<FoundTable> {
  const named = await client.query(TABLES, [given]).catch(error => {
    if ((error as { code?: unknown }).code !== INVALID_NAME) throw error;
    throw new Refused('table: must be a table, or schema.table, each quoted with " where SQL needs it');
  });
  const exact = named.rows.filter(row => row.exact === 'true');
  const found = exact.length > 0 ? exact : named.rows;
  const [only] = found;
  if (!only) throw new Refused('table: there is no such table: name it as schema.table');
  if (found.length > 1)
    throw new Refused(
      `table: several have this name: ${found.map(readableTable).join(', ')}: quote it with "`,
    );
  const problem =
    only.schema === 'keyroster'
      ? "is Keyroster's own"
      : only.partition === 'true'
        ? 'is a partition, which has a part of the keys only'
        : only.children === 'true' && only.kind === 'r'
          ? 'has tables that inherit from it, whose rows none of its indexes has'
          : OTHER_KINDS[only.kind];
  if (problem) throw new Refused(`table: ${readableTable(only)} ${problem}`);
  return only;
}

/** What an index can't be added to, or can't be made for without a lock. */
const OTHER_KINDS: Readonly<Record<string, string>> = {
  p: 'is a partitioned table, to which no index can be added while it is in use',
  v: 'is a view: name the table behind it',
  m: 'is a materialized view: name the table behind it',
  f: 'is a foreign table: run this in the database that has it',
};
