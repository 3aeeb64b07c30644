import { CREATOR_TYPES, parseStatus, STATUSES, type Status } from '../../../roster/api-key.ts';
import type { Fault } from '../../../roster/errors.ts';
import { Fields, isObject } from '../../../roster/fields.ts';
import { FILTER_NAMES, type FilterName, filters } from '../../../roster/filters.ts';
import { ID_RULE, parseId } from '../../../roster/identifier.ts';
import { PARTIAL_KEY_HINT_RULE, parsePartialKeyHint } from '../../../roster/partial-key-hint.ts';
import { parseTableName, TABLE_RULE, type TableName } from './table-name.ts';

/** What a vendor's own table says of an API key, and where: the file `keyroster.table.json` (docs/your-table.md#the-mapping). */
export interface Mapping {
  readonly table: TableName;
  readonly fields: Readonly<Record<FieldName, FieldSource>>;
  /** The filters that are served. Their combinations get an index each. */
  readonly filters: readonly FilterName[];
}

/** Where the value of a field comes from. */
export type FieldSource =
  | { readonly column: string; readonly values?: StatusValues; readonly unit?: TimeUnit }
  | { readonly sql: string }
  | { readonly constant: string | null };

/** The values of the column that mean each status. */
export type StatusValues = { readonly [Name in Status]?: readonly StatusValue[] };
export type StatusValue = string | number | boolean | null;

/** What a number counts since 1970, and how many of them are a second. */
export const TIME_UNITS = { s: 1, ms: 1_000, us: 1_000_000, ns: 1_000_000_000 } as const;
export type TimeUnit = keyof typeof TIME_UNITS;

export interface FieldRule {
  /** Returns `undefined` for a constant that this field can't have; absent: it can't be constant at all. */
  readonly constant?: (value: unknown) => string | null | undefined;
  readonly constantRule?: string;
  /** What else there may be beside `column`. */
  readonly beside?: 'values' | 'unit';
}

const nonEmpty = (value: unknown) => (typeof value === 'string' ? value : undefined);
const id = { constant: parseId, constantRule: ID_RULE } as const;

/** The fields of an API key, in the order of the record. */
export const FIELDS = {
  organization_id: id,
  id: {},
  name: { constant: nonEmpty, constantRule: 'must be text' },
  created_at: { beside: 'unit' },
  created_by_id: id,
  created_by_type: {
    constant: value => CREATOR_TYPES.find(type => type === value),
    constantRule: `must be one of ${CREATOR_TYPES.join(', ')}`,
  },
  partial_key_hint: { constant: parsePartialKeyHint, constantRule: PARTIAL_KEY_HINT_RULE },
  status: {
    constant: parseStatus,
    constantRule: `must be one of ${STATUSES.join(', ')}`,
    beside: 'values',
  },
  workspace_id: {
    constant: value => (value === null ? null : parseId(value)),
    constantRule: `${ID_RULE}, or null`,
  },
} as const satisfies Record<string, FieldRule>;

export type FieldName = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

/** A mapping, or all faults of the file, at least one. They name the place and the rule. */
export type ParsedMapping = { readonly mapping: Mapping } | { readonly faults: readonly Fault[] };

export function parseMapping(json: unknown): ParsedMapping {
  if (!isObject(json)) return { faults: [{ field: null, problem: 'must be a JSON object' }] };
  const faults: Fault[] = [];
  const top = new Fields(json, '', faults);
  top.refuseUnknown(['table', 'fields', 'filters']);
  const mapping: Mapping = {
    table: top.read('table', parseTableName, TABLE_RULE),
    fields: top.read(
      'fields',
      value => parseFields(value, faults),
      'must be an object with a source for each field',
    ),
    filters: top.read('filters', parseFilters, FILTERS_RULE),
  };
  return faults.length > 0 ? { faults } : { mapping };
}

function parseFields(value: unknown, faults: Fault[]): Mapping['fields'] | undefined {
  if (!isObject(value)) return undefined;
  const fields = new Fields(value, 'fields.', faults);
  fields.refuseUnknown(FIELD_NAMES);
  const sources = FIELD_NAMES.map(name => {
    const source = (given: unknown) => parseSource(given, name, faults);
    return [name, fields.read(name, source, 'must be an object with one of column, sql and constant')];
  });
  return Object.fromEntries(sources);
}

function parseSource(given: unknown, name: FieldName, faults: Fault[]): FieldSource | undefined {
  if (!isObject(given)) return undefined;
  const rule: FieldRule = FIELDS[name];
  const fields = new Fields(given, `fields.${name}.`, faults);
  if (given.todo !== undefined) {
    const why = typeof given.todo === 'string' ? `: ${given.todo}` : '';
    faults.push({ field: `fields.${name}`, problem: `is still to be decided${why}` });
    return { constant: null };
  }
  const kinds = ['column', 'sql', 'constant'].filter(kind => Object.hasOwn(given, kind));
  const [kind] = kinds;
  if (kinds.length !== 1) return undefined;
  fields.refuseUnknown([String(kind), 'note', ...(kind === 'column' && rule.beside ? [rule.beside] : [])]);
  fields.readOr('note', nonEmpty, 'must be text', null);
  if (kind === 'sql') return { sql: fields.read('sql', parseSql, SQL_RULE) };
  if (kind === 'constant') {
    const {
      constant = () => undefined,
      constantRule = 'is not the same for each API key: give column or sql',
    } = rule;
    return { constant: fields.read('constant', constant, constantRule) };
  }
  return {
    column: fields.read('column', parseColumn, 'must be the name of a column, as it is, without quotes'),
    ...optional('values', fields.readOr('values', parseValues, VALUES_RULE, undefined)),
    ...optional('unit', fields.readOr('unit', parseUnit, UNIT_RULE, undefined)),
  };
}

function optional<Name extends string, T>(name: Name, value: T | undefined): { [N in Name]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { [N in Name]?: T });
}

const SQL_RULE = 'must be one SQL expression over the columns of the table, without a comment or a semicolon';

/** What it means is PostgreSQL's to say. A comment would hide what follows it in the statement. */
export function parseSql(value: unknown): string | undefined {
  const isOne = typeof value === 'string' && value.trim() !== '' && !/--|\/\*|;|\0/.test(value);
  return isOne ? value : undefined;
}

function parseColumn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && !value.includes('\0') ? value : undefined;
}

const UNIT_RULE = `must be one of ${Object.keys(TIME_UNITS).join(', ')}`;

function parseUnit(value: unknown): TimeUnit | undefined {
  return (Object.keys(TIME_UNITS) as TimeUnit[]).find(unit => unit === value);
}

const VALUES_RULE = `must have lists of texts, numbers, true, false or null for ${STATUSES.join(', ')}, each value once`;

function parseValues(value: unknown): StatusValues | undefined {
  if (!isObject(value) || !Object.keys(value).every(parseStatus)) return undefined;
  const lists = Object.values(value);
  if (lists.length === 0 || !lists.every(Array.isArray)) return undefined;
  const all: unknown[] = lists.flat();
  const isValue = (each: unknown) =>
    each === null || typeof each === 'boolean' || nonEmpty(each) !== undefined || Number.isFinite(each);
  return all.every(isValue) && new Set(all).size === all.length ? (value as StatusValues) : undefined;
}

const FILTERS_RULE = `must be a list of ${FILTER_NAMES.map(name => filters[name].parameter).join(', ')}, each at most once`;

function parseFilters(value: unknown): FilterName[] | undefined {
  if (!Array.isArray(value) || new Set(value).size < value.length) return undefined;
  const parameters: readonly unknown[] = FILTER_NAMES.map(name => filters[name].parameter);
  if (!value.every(each => parameters.includes(each))) return undefined;
  return FILTER_NAMES.filter(name => value.includes(filters[name].parameter));
}
