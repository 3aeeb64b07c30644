import { filters } from '../../../shared/record/filters.ts';
import { MAX_TEXT_LENGTH } from '../../roster/writes/new-field.ts';
import type { ColumnName } from '../columns.ts';
import { columnName, columnType } from '../declared-fields.ts';
import { filterColumns } from '../pages/page-sql.ts';
import type { Statements } from '../statements.ts';
import { JOINED_COLUMN } from './join.ts';
import { type MappedField, mappedJson } from './mapped-field.ts';
import { FIELD_NAMES, type FieldName, type Mapping, parseMapping } from './mapping.ts';
import { type DeclaredSource, type FieldSource, TIME_UNITS } from './source.ts';
import { identifier, literal, tableSql } from './table-name.ts';

/** The SQL of each field, over the columns of the vendor's table. The view and the indexes have them to the letter. */
type Expressions = Readonly<Record<FieldName, string>>;

export function expressionsOf({ fields }: Pick<Mapping, 'fields'>): Expressions {
  const all = FIELD_NAMES.map(name => [name, expressionOf(name, fields[name])]);
  const expressions = Object.fromEntries(all) as Expressions;
  const { organization_id: organization } = fields;
  if (!('constant' in organization) || organization.constant === null) return expressions;
  return { ...expressions, organization_id: ofEachRow(organization.constant, expressions.id) };
}

/** The constant as a value of the row, and not known to the planner: it would leave it out of the condition that an index is for. */
function ofEachRow(constant: string, id: string): string {
  return `(pg_catalog.left(${literal(constant)} || ${id}, ${constant.length}) COLLATE "C")`;
}

/**
 * All but the creation time are texts that compare as bytes, whatever the type of the column and the collation of the database:
 * the order of IDs is the same as in a store of ours. A row without a creation time has a place in the order, so that no walk leaves
 * it out: the page that has it fails.
 */
export function expressionOf(name: FieldName, source: FieldSource): string {
  const sql = sourceSql(source);
  return name === 'created_at'
    ? `coalesce((${sql}), timestamptz 'infinity')`
    : `((${sql})::text COLLATE "C")`;
}

/** As the mapping says it, of whatever type that is. */
export function sourceSql(source: DeclaredSource): string {
  if ('sql' in source) return source.sql;
  if ('joins' in source) return JOINED_COLUMN;
  if ('constant' in source) return source.constant === null ? 'NULL' : literal(String(source.constant));
  const column = identifier(source.column);
  if (source.unit) return `pg_catalog.to_timestamp(${column} / ${TIME_UNITS[source.unit]}.0)`;
  if (!source.values) return column;
  const cases = Object.entries(source.values).flatMap(([status, values]) =>
    values.map(value => `WHEN ${condition(column, value)} THEN ${literal(status)}`),
  );
  return `CASE ${cases.join(' ')} END`;
}

/** A text stays without a type, so that it is compared as what the column is, such as an enum. */
function condition(column: string, value: string | number | boolean | null): string {
  if (value === null) return `${column} IS NULL`;
  return `${column} = ${typeof value === 'string' ? literal(value) : value}`;
}

/** A declared field as the mapping says it, which has to be of the type of its column already: a cast might fail on a row. */
export function declaredSourceSql({ field, source }: MappedField): string {
  const sql = `(${sourceSql(source)})`;
  return 'constant' in source ? `${sql}::${columnType(field.type)}` : sql;
}

/**
 * Its column in the view. A value that breaks its rule is there as one that breaks it too, and that no page fails to read: an
 * infinite time, or a text of any length. An empty text is `null`, as in CSV.
 */
export function declaredSql(mapped: MappedField): string {
  const sql = declaredSourceSql(mapped);
  const type = columnType(mapped.field.type);
  if (type === 'text')
    return `nullif(pg_catalog.left(${sql}::text, ${MAX_TEXT_LENGTH + 1}), '') COLLATE "default"`;
  if (type !== 'timestamptz') return `${sql}::${type}`;
  const [first, end] = [`timestamptz '0001-01-01 00:00:00+00 BC'`, `timestamptz '10000-01-01 00:00:00+00'`];
  return `CASE WHEN ${sql} >= ${first} AND ${sql} < ${end} THEN ${sql} WHEN ${sql} IS NOT NULL THEN ${end} END`;
}

/** More of a name would make a page of them too large to be sent. In characters. */
const MAX_NAME_LENGTH = 1000;

/**
 * The view that takes the place of our own table, with a column for each filter that is served: a filter without one can't be
 * asked for. Whoever reads it needs no right to the table behind it.
 */
export function viewSql(mapping: Mapping, name = 'keyroster.api_keys'): string {
  const of = expressionsOf(mapping);
  const columns = {
    organization_id: of.organization_id,
    id: of.id,
    created_at: of.created_at,
    ...Object.fromEntries(mapping.filters.map(name => [filterColumns[name], of[filterColumns[name]]])),
    record: recordSql(of),
    ...Object.fromEntries(mapping.declared.map(each => [columnName(each.field), declaredSql(each)])),
  };
  const selected = Object.entries(columns).map(([name, sql]) => `  ${sql} AS ${name}`);
  return `CREATE VIEW ${name} AS SELECT\n${selected.join(',\n')}\nFROM ${tableSql(mapping.table)}`;
}

/**
 * The record as JSON, after a space: it tells that no constraint has checked it (`checked-record.ts`). A chain of `||`: one call of
 * `concat`, or a function of ours, takes longer. What is NULL is left out, so that field breaks its rule, and a name is empty.
 * Functions and operators have their schema: else one of the same name, with types that fit better, is taken from any schema of the
 * search path. The collation is that of our own table's column: a prepared statement fails once the type of its result is another.
 */
function recordSql(of: Expressions): string {
  // The years before Christ would be rendered as those after.
  const rendered = `pg_catalog.to_char(${of.created_at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  const time = `CASE WHEN ${of.created_at} >= timestamptz '0001-01-01 00:00:00+00' THEN ${rendered} END`;
  const name = `pg_catalog.to_json(pg_catalog.left(coalesce(${of.name}, ''), ${MAX_NAME_LENGTH}))::text`;
  const parts = {
    id: `' {"id":"' ${JOIN} ${orEmpty(of.id)}`,
    name: `'","type":"api_key","name":' ${JOIN} ${name}`,
    created_at: `',"created_at":"' ${JOIN} ${orEmpty(time)}`,
    created_by_id: `'","created_by":{"id":"' ${JOIN} ${orEmpty(of.created_by_id)}`,
    created_by_type: `'","type":"' ${JOIN} ${orEmpty(of.created_by_type)}`,
    partial_key_hint: `'"},"partial_key_hint":"' ${JOIN} ${orEmpty(of.partial_key_hint)}`,
    status: `'","status":"' ${JOIN} ${orEmpty(of.status)}`,
    workspace_id: `'","workspace_id":' ${JOIN} coalesce('"' ${JOIN} ${of.workspace_id} ${JOIN} '"', 'null') ${JOIN} '}'`,
  } satisfies Record<ColumnName, string>;
  return `(${Object.values(parts).join(` ${JOIN}\n    `)}) COLLATE "default"`;
}

const JOIN = 'OPERATOR(pg_catalog.||)';

function orEmpty(sql: string): string {
  return `coalesce(${sql}, '')`;
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
export function mappingJson({ table, fields, declared, filters: served }: Mapping): object {
  const all = { ...fields, ...Object.fromEntries(declared.map(mappedJson)) };
  return { table: tableSql(table), fields: all, filters: served.map(name => filters[name].parameter) };
}
