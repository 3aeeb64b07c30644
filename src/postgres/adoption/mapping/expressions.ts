import { FIELD_NAMES, type FieldName, type FieldSource, type Mapping, TIME_UNITS } from './mapping.ts';
import { identifier, literal } from './table-name.ts';

/** The SQL of each field, over the columns of the vendor's table. The view and the indexes have them to the letter. */
export type Expressions = Readonly<Record<FieldName, string>>;

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
export function sourceSql(source: FieldSource): string {
  if ('sql' in source) return source.sql;
  if ('constant' in source) return source.constant === null ? 'NULL' : literal(source.constant);
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
