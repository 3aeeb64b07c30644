/** Declared fields: which there are, and the column that each has in the table of API keys. */

import { formatTimestamp, parseTimestamp, type Timestamp } from '../../shared/record/timestamp.ts';
import type { ApiKey } from '../roster/api-key.ts';
import {
  type DeclaredField,
  type DeclaredValue,
  declaredRule,
  type FieldKind,
  type FieldType,
  NO_FIELDS,
  parseDeclaredValue,
  storedField,
  withDeclared,
} from '../roster/declared-fields.ts';
import { LAST_USED_AT } from '../roster/writes/key-use.ts';
import type { Statements } from './statements.ts';
import { microseconds, timestampOf, timestamptz } from './timestamp.ts';

const FIELDS = `SELECT number::text AS number, name, type::text AS type FROM keyroster.fields
  WHERE removed_at IS NULL ORDER BY fields.number`;

/** All that are declared. Those over a vendor's own table are in its mapping: `listFields`. */
export async function declaredFields(client: Statements): Promise<readonly DeclaredField[]> {
  const { rows } = await client.query(FIELDS);
  if (rows.length === 0) return NO_FIELDS;
  return rows.map(({ number, name, type }) => storedField(Number(number), name, type));
}

/**
 * Those that API keys have until the end of the transaction: its lock of the table keeps their columns. To be called before
 * keys are written, after `requireOwnTable`. A query and not `LOCK TABLE`, which Citus would send to every node.
 */
export async function fieldsToWrite(client: Statements): Promise<readonly DeclaredField[]> {
  await client.query('SELECT FROM keyroster.api_keys WHERE false');
  return declaredFields(client);
}

interface ColumnOf {
  readonly sqlType: string;
  /** The value as text, which doesn't depend on any setting. */
  readonly text: (column: string) => string;
  /** `undefined` for a text that isn't of this type: the column was made again with another one. */
  readonly value: (text: string) => DeclaredValue | undefined;
  /** The value as PostgreSQL reads it. */
  readonly input: (value: DeclaredValue) => string;
}

const asText = (column: string) => `${column}::text`;

const columnOf: { readonly [Kind in FieldKind]: ColumnOf } = {
  timestamp: {
    sqlType: 'timestamptz',
    text: microseconds,
    value: text => (/^-?\d+$/.test(text) ? formatTimestamp(timestampOf(text)) : undefined),
    input: value => timestamptz(parseTimestamp(value) as Timestamp),
  },
  integer: {
    sqlType: 'bigint',
    text: asText,
    value: text => (/^-?\d+$/.test(text) ? Number(text) : undefined),
    input: String,
  },
  boolean: {
    sqlType: 'boolean',
    text: asText,
    value: text => ({ true: true, false: false })[text],
    input: String,
  },
  'one-of': { sqlType: 'text', text: asText, value: text => text, input: String },
  text: { sqlType: 'text', text: asText, value: text => text, input: String },
};

/** Quoted, as a name may be a word of SQL. It has no character that would need an escape. */
export function columnName({ name }: Pick<DeclaredField, 'name'>): string {
  return `"${name}"`;
}

export function columnType({ kind }: FieldType): string {
  return columnOf[kind].sqlType;
}

/** The value of the field in this table, as text. */
export function columnAsText(field: DeclaredField, table: string): string {
  return valueAsText(field, `${table}.${columnName(field)}`);
}

export function valueAsText({ type }: DeclaredField, sql: string): string {
  return columnOf[type.kind].text(sql);
}

/** SQL: what a put gives a column of a stored row. The last use only moves forward. */
export function valueToPut(column: string, given: string): string {
  return column === columnName({ name: LAST_USED_AT }) ? `greatest(stored.${column}, ${given})` : given;
}

/** Its column in a temporary table, in rows of JSON and in results: there it stands beside columns that a field may have the name of. */
export function numberedName({ number }: DeclaredField): string {
  return `declared${number}`;
}

/** The key's value as PostgreSQL reads it. It has none of a field that was declared since it was read. */
export function declaredInput({ declared = [] }: ApiKey, { number }: DeclaredField): string | null {
  const found = declared.find(({ field }) => field.number === number);
  return found === undefined || found.value === null
    ? null
    : columnOf[found.field.type.kind].input(found.value);
}

/** The record with its declared fields, of which these are the texts of the columns. Throws `OtherColumn`. */
export function recordWith(
  record: string,
  fields: readonly DeclaredField[],
  texts: readonly (string | null)[],
  readValue = declaredValue,
): string {
  const values = new Map(fields.map((field, index) => [field, readValue(field, texts[index] ?? null)]));
  return withDeclared(record, fields, field => values.get(field) ?? null);
}

/** The value of a column that no constraint has checked; `undefined` when it breaks its rule. */
export function uncheckedValue(field: DeclaredField, text: string | null): DeclaredValue | null | undefined {
  const value = declaredValue(field, text);
  if (field.type.kind !== 'timestamp') return parseDeclaredValue(field, value);
  return /^[+-]/.test(String(value)) ? undefined : value; // a year beyond 0 to 9999: to parse it takes longer
}

/** That rule, of a column and not of JSON. */
export function columnRule(field: DeclaredField): string {
  return field.type.kind === 'timestamp'
    ? "must be a time of the years 0 to 9999, or NULL; infinity isn't one"
    : declaredRule(field);
}

function declaredValue({ name, type }: DeclaredField, text: string | null): DeclaredValue | null {
  const value = text === null ? null : columnOf[type.kind].value(text);
  if (value === undefined) throw new OtherColumn(`the column ${name} isn't of the type ${type.kind}`);
  return value;
}

/** The field was removed, and another one of its name declared. */
export class OtherColumn extends Error {
  override readonly name = 'OtherColumn';
}
