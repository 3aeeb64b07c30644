import { filters } from '../../../roster/filters.ts';
import { filterColumns } from '../../page-sql.ts';
import type { Statements } from '../../statements.ts';
import { type Expressions, expressionsOf } from './expressions.ts';
import type { Mapping } from './mapping.ts';
import { parseMapping } from './mapping.ts';
import { literal, tableSql } from './table-name.ts';

/** More of a name would make a page of them too large to be sent. In characters. */
const MAX_NAME_LENGTH = 1000;

/**
 * The view that takes the place of our own table, with a column for each filter that is served: a filter without one can't be
 * asked for. Whoever reads it needs no right to the table behind it.
 */
export function viewSql(mapping: Mapping): string {
  const of = expressionsOf(mapping);
  const columns = {
    organization_id: of.organization_id,
    id: of.id,
    created_at: of.created_at,
    ...Object.fromEntries(mapping.filters.map(name => [filterColumns[name], of[filterColumns[name]]])),
    record: recordSql(of),
  };
  const selected = Object.entries(columns).map(([name, sql]) => `  ${sql} AS ${name}`);
  return `CREATE VIEW keyroster.api_keys AS SELECT\n${selected.join(',\n')}\nFROM ${tableSql(mapping.table)}`;
}

/**
 * The record as JSON, after a space: it tells that no constraint has checked it (`checked-record.ts`). One call of `concat`, as a
 * function of ours, or a chain of `||`, takes longer. It leaves out what is NULL, so that field breaks its rule, and a name is empty.
 * Functions have their schema: else one of the same name, with types that fit better, is taken from any schema of the search path. The
 * collation is that of our own table's column: a prepared statement fails once the type of its result is another.
 */
function recordSql(of: Expressions): string {
  // The years before Christ would be rendered as those after.
  const rendered = `pg_catalog.to_char(${of.created_at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  const time = `CASE WHEN ${of.created_at} >= timestamptz '0001-01-01 00:00:00+00' THEN ${rendered} END`;
  const parts = [
    `' {"id":"', ${of.id}`,
    `'","type":"api_key","name":', pg_catalog.to_json(pg_catalog.left(coalesce(${of.name}, ''), ${MAX_NAME_LENGTH}))`,
    `',"created_at":"', ${time}`,
    `'","created_by":{"id":"', ${of.created_by_id}, '","type":"', ${of.created_by_type}`,
    `'"},"partial_key_hint":"', ${of.partial_key_hint}`,
    `'","status":"', ${of.status}`,
    `'","workspace_id":', CASE WHEN ${of.workspace_id} IS NULL THEN 'null' ELSE '"' END, ${of.workspace_id}`,
    `CASE WHEN ${of.workspace_id} IS NOT NULL THEN '"' END, '}'`,
  ];
  return `pg_catalog.concat(${parts.join(',\n    ')}) COLLATE "default"`;
}

/** What an operator, and `keyroster check`, find at the view: the mapping that made it. */
export function viewComment(mapping: Mapping): string {
  return literal(`keyroster adopt: ${JSON.stringify(mappingJson(mapping))}`);
}

/** The mapping that the view was made by, out of its comment; `null` where there is no view, or one that `adopt` hasn't made. */
export async function servedMapping(client: Statements): Promise<Mapping | null> {
  const { rows } = await client.query(`
    SELECT obj_description(oid, 'pg_class') AS comment
    FROM pg_class WHERE oid = to_regclass('keyroster.api_keys') AND relkind = 'v'`);
  const comment = String(rows[0]?.comment);
  try {
    const parsed = parseMapping(JSON.parse(comment.slice(comment.indexOf('{'))));
    return 'mapping' in parsed ? parsed.mapping : null;
  } catch {
    return null;
  }
}

/** The mapping as its file has it. */
export function mappingJson({ table, fields, filters: served }: Mapping): object {
  return { table: tableSql(table), fields, filters: served.map(name => filters[name].parameter) };
}
