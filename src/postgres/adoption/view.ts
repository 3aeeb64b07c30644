import { filters } from '../../roster/filters.ts';
import { filterColumns } from '../page-sql.ts';
import { type Expressions, expressionsOf } from './expressions.ts';
import type { Mapping } from './mapping.ts';
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
 * The record as JSON, after a space: it tells that no constraint has checked it (`checked-record.ts`). Text by itself, since a
 * function for it takes longer than the rest of the page. What is NULL is `null`, so that it can be named.
 */
function recordSql(of: Expressions): string {
  const text = (sql: string) => `coalesce('"' || (${sql}) || '"', 'null')`;
  // The years before Christ would be rendered as those after.
  const rendered = `to_char(${of.created_at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  const time = `CASE WHEN ${of.created_at} >= timestamptz '0001-01-01 00:00:00+00' THEN ${rendered} END`;
  return [
    `' {"id":' || ${text(of.id)}`,
    `',"type":"api_key","name":' || coalesce(to_json(left(${of.name}, ${MAX_NAME_LENGTH}))::text, 'null')`,
    `',"created_at":' || ${text(time)}`,
    `',"created_by":{"id":' || ${text(of.created_by_id)} || ',"type":' || ${text(of.created_by_type)}`,
    `'},"partial_key_hint":' || ${text(of.partial_key_hint)}`,
    `',"status":' || ${text(of.status)}`,
    `',"workspace_id":' || ${text(of.workspace_id)} || '}'`,
  ].join('\n    || ');
}

/** What an operator, and `keyroster check`, find at the view: the mapping that made it. */
export function viewComment(mapping: Mapping): string {
  return literal(`keyroster adopt: ${JSON.stringify(mappingJson(mapping))}`);
}

/** The mapping as its file has it. */
export function mappingJson({ table, fields, filters: served }: Mapping): object {
  return { table: tableSql(table), fields, filters: served.map(name => filters[name].parameter) };
}
