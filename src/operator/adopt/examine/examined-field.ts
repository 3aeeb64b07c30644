import { columnRule, uncheckedValue, valueAsText } from '../../../service/postgres/declared-fields.ts';
import { joinedSql } from '../../../service/postgres/vendor-table/join.ts';
import type { MappedField } from '../../../service/postgres/vendor-table/mapped-field.ts';
import {
  FIELD_NAMES,
  FIELDS,
  type FieldName,
  hasUnlistedRows,
  ID_FIELDS,
  type Mapping,
  SHOWN_FIELDS,
} from '../../../service/postgres/vendor-table/mapping.ts';
import type { DeclaredSource, FieldRule } from '../../../service/postgres/vendor-table/source.ts';
import { tableSql } from '../../../service/postgres/vendor-table/table-name.ts';
import {
  declaredSourceSql,
  declaredSql,
  expressionOf,
  sourceSql,
} from '../../../service/postgres/vendor-table/view.ts';
import type { FieldKind } from '../../../service/roster/declared-fields.ts';
import { idLooksLikeKey, looksLikeKey, ownerIdLooksLikeKey } from '../../../shared/record/looks-like-key.ts';

/** A field of a mapping, of the contract or declared, as it is examined. */
export interface ExaminedField {
  readonly name: string;
  readonly source: DeclaredSource;
  /** What PostgreSQL is asked about: the columns that it reads, and its type. */
  readonly value: string;
  /** The types that it may have, and what else to do; absent: any. */
  readonly types?: readonly [names: RegExp, problem: string] | undefined;
  /** What is read of each row to check it. */
  readonly sampled: string;
  readonly mayBeNull: boolean;
  readonly isValid: (text: string | null) => boolean;
  readonly rule: string;
  /** Whether people read it, who would see a key. */
  readonly isShown: boolean;
  readonly showsKey: (text: string) => boolean;
}

/** Of those that a cast could fail on, or round. */
const TYPES: { readonly [Kind in FieldKind]?: ExaminedField['types'] } = {
  timestamp: [
    /^timestamp with time zone$/,
    'must be a timestamptz: for a timestamp without a zone give "sql" with AT TIME ZONE \'UTC\', for a number "unit"',
  ],
  integer: [
    /^(?:small|big)?int(?:eger)?$/,
    'must be a smallint, integer or bigint: give "sql" with a cast that fails on no row',
  ],
  boolean: [/^boolean$/, 'must be a boolean: give "sql" with a comparison'],
};

export function examinedFields(mapping: Mapping): ExaminedField[] {
  return [...FIELD_NAMES.map(name => ofContract(name, mapping)), ...mapping.declared.map(declared)];
}

function ofContract(name: FieldName, mapping: Mapping): ExaminedField {
  const source = mapping.fields[name];
  const { parse, rule: ownRule }: FieldRule = FIELDS[name];
  const joins = 'joins' in source && source.joins;
  const sql = expressionOf(name, joins ? { sql: joinedSql(joins, tableSql(mapping.table)) } : source);
  const rule = name === 'organization_id' ? `${ownRule}; NULL only with "unlisted": true` : ownRule;
  const isTime = name === 'created_at';
  const isShown = SHOWN_FIELDS.includes(name);
  const idShowsKey = name === 'id' ? idLooksLikeKey : ownerIdLooksLikeKey;
  return {
    ...{ name, source, rule, isShown, sampled: sampledAs(name, sql) },
    value: isTime ? `(${sourceSql(source)})` : sql,
    types: isTime ? TYPES.timestamp : undefined,
    mayBeNull: name === 'organization_id' && hasUnlistedRows(mapping),
    isValid: text => parse(text) !== undefined,
    showsKey: isShown ? showsKey : text => ID_FIELDS.includes(name) && idShowsKey(text),
  };
}

function declared(mapped: MappedField): ExaminedField {
  const { field, source } = mapped;
  const types = TYPES[field.type.kind];
  const isShown = types === undefined;
  const sql = declaredSql(mapped);
  return {
    ...{ name: field.name, source, rule: columnRule(field), types, isShown, mayBeNull: false },
    value: isShown ? sql : declaredSourceSql(mapped),
    sampled: valueAsText(field, `(${sql})`),
    isValid: text => uncheckedValue(field, text) !== undefined,
    showsKey: text => isShown && showsKey(text),
  };
}

/** The view cuts long names; a time is only in its years or not. */
function sampledAs(name: FieldName, sql: string): string {
  if (name === 'name') return `left(coalesce(${sql}, ''), 1000)`;
  if (name !== 'created_at') return sql;
  return `CASE WHEN ${sql} >= '0001-01-01 00:00:00+00' AND ${sql} < '10000-01-01 00:00:00+00' THEN 'a time' END`;
}

/** A whole key fits before the dots of a hint. */
const showsKey = (text: string) => text.split('...').some(looksLikeKey);
