import type { Client } from 'pg';
import { expressionOf } from '../mapping/expressions.ts';
import { FIELD_NAMES, type FieldName, type FieldSource, type Mapping } from '../mapping/mapping.ts';
import { tableSql } from '../mapping/table-name.ts';
import { inTrial, refusal } from '../trial.ts';

/** What an expression over a table is computed from. */
export interface Reads {
  /** Columns of the table. */
  readonly columns: ReadonlySet<string>;
  /** Whether it has a row as one value, so all columns. */
  readonly wholeRow: boolean;
  /** Whether it has a query, or another relation. */
  readonly elsewhere: boolean;
  readonly functions: ReadonlySet<string>;
}

/**
 * What the fields with SQL read, as PostgreSQL says: each is the column of a temporary view, which is never committed. A field is
 * absent where there can be no such view: the role may make none, or the expression is wrong.
 */
export async function whatSqlReads(
  client: Client,
  { table, fields }: Mapping,
): Promise<ReadonlyMap<FieldName, Reads>> {
  const read = new Map<FieldName, Reads>();
  const withSql = FIELD_NAMES.filter(field => 'sql' in fields[field]);
  if (withSql.length > 0)
    await inTrial(client, async () => {
      for (const field of withSql) {
        const reads = await readsOf(client, tableSql(table), field, fields[field]);
        if (reads) read.set(field, reads);
      }
    });
  return read;
}

async function readsOf(
  client: Client,
  table: string,
  field: FieldName,
  source: FieldSource,
): Promise<Reads | null> {
  const view = `pg_temp.keyroster_${field}`;
  const expression = expressionOf(field, source);
  if (await refusal(client, `CREATE VIEW ${view} AS SELECT ${expression} AS value FROM ${table}`))
    return null;
  const { rows } = await client.query(READS, [view, table]);
  const { columns, functions, ...told } = JSON.parse(rows[0]?.reads);
  return { ...told, columns: new Set(columns), functions: new Set(functions) };
}

/**
 * `pg_depend` doesn't tell a whole row, nor functions of PostgreSQL's own, so the view's definition is read as PostgreSQL keeps it.
 * Its words stand between spaces, and no text or name in it has a space that isn't escaped. Column 0 is the whole row.
 */
const READS = `
  SELECT json_build_object(
    'columns', ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = table_oid AND attnum IN
      (SELECT found[1]::int FROM regexp_matches(tree, ' :varattno (-?[0-9]+) ', 'g') AS found)),
    'wholeRow', tree ~ ' :varattno 0 ',
    'elsewhere', tree ~ ' :hasSubLinks true ' OR EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_rewrite'::regclass
      AND objid = rule AND refclassid = 'pg_class'::regclass AND refobjid NOT IN (table_oid, ev_class)),
    'functions', ARRAY(SELECT proname FROM pg_proc WHERE oid IN
      (SELECT found[1]::oid FROM regexp_matches(tree, ' :(?:op)?funcid ([0-9]+) ', 'g') AS found)))::text AS reads
  FROM (SELECT oid AS rule, ev_class, ev_action::text AS tree, $2::text::regclass::oid AS table_oid
    FROM pg_rewrite WHERE ev_class = $1::text::regclass) AS view`;
