import { CREATOR_TYPES } from '../../../shared/record/api-key-record.ts';
import type { Fault } from '../../../shared/record/faults.ts';
import { Fields, isObject } from '../../../shared/record/fields.ts';
import { FILTER_NAMES, type FilterName, filters } from '../../../shared/record/filters.ts';
import { ID_RULE, parseId } from '../../../shared/record/identifier.ts';
import { NAME_RULE, parseName } from '../../../shared/record/name.ts';
import { PARTIAL_KEY_HINT_RULE, parsePartialKeyHint } from '../../../shared/record/partial-key-hint.ts';
import { parseStatus, STATUS_RULE, STATUSES, type Status } from '../../../shared/record/status.ts';
import { parseTableName, TABLE_RULE, type TableName } from './table-name.ts';

/** What a vendor's own table says of an API key, and where: the file `keyroster.table.json` (docs/your-table.md#2-the-mapping). */
export interface Mapping {
  readonly table: TableName;
  readonly fields: Readonly<Record<FieldName, FieldSource>>;
  /** The filters that are served. Their combinations get an index each. */
  readonly filters: readonly FilterName[];
}

/** Where the value of a field comes from. */
export type FieldSource =
  | ({ readonly column: string; readonly values?: StatusValues; readonly unit?: TimeUnit } & Unlisted)
  | ({ readonly sql: string } & Unlisted)
  | { readonly constant: string | null };

interface Unlisted {
  /** Of the organization: rows of NULL are meant to be in no list, so they aren't wrong. */
  readonly unlisted?: true;
}

/** Whether rows without an organization are meant. */
export function hasUnlistedRows({ fields }: Pick<Mapping, 'fields'>): boolean {
  const source = fields.organization_id;
  return 'unlisted' in source && source.unlisted === true;
}

/** The values of the column that mean each status. */
export type StatusValues = { readonly [Name in Status]?: readonly StatusValue[] };
export type StatusValue = string | number | boolean | null;

/** What a number counts since 1970, and how many of them are a second. */
export const TIME_UNITS = { s: 1, ms: 1_000, us: 1_000_000, ns: 1_000_000_000 } as const;
export type TimeUnit = keyof typeof TIME_UNITS;

/** A value that a text of JSON may have. `parse` returns `undefined` for another one. */
interface Rule<T = unknown> {
  readonly parse: (value: unknown) => T | undefined;
  readonly rule: string;
}

export interface FieldRule extends Rule<string | null> {
  /** Whether it can't be a constant, as it isn't the same for each API key. */
  readonly varies?: true;
  /** What else there may be beside `column`. */
  readonly beside?: keyof typeof BESIDE;
}

const parseText = (value: unknown) => (typeof value === 'string' ? value : undefined);
const id = { parse: parseId, rule: ID_RULE } as const;

/** The fields of an API key, in the order of the record. */
export const FIELDS = {
  organization_id: { ...id, beside: 'unlisted' },
  id: { ...id, varies: true },
  name: { parse: parseName, rule: NAME_RULE },
  created_at: {
    parse: parseText,
    rule: 'must be a time of the years 1 to 9999',
    varies: true,
    beside: 'unit',
  },
  created_by_id: id,
  created_by_type: {
    parse: value => CREATOR_TYPES.find(type => type === value),
    rule: `must be one of ${CREATOR_TYPES.join(', ')}`,
  },
  partial_key_hint: { parse: parsePartialKeyHint, rule: PARTIAL_KEY_HINT_RULE },
  status: { parse: parseStatus, rule: STATUS_RULE, beside: 'values' },
  workspace_id: {
    parse: value => (value === null ? null : parseId(value)),
    rule: `${ID_RULE}, or null`,
  },
} as const satisfies Record<string, FieldRule>;

export type FieldName = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

/** The fields that come from a value as it is. IDs are random texts, as keys are. */
export const ID_FIELDS: readonly FieldName[] = ['organization_id', 'id', 'created_by_id', 'workspace_id'];
/** What people read. */
export const SHOWN_FIELDS: readonly FieldName[] = ['name', 'partial_key_hint'];

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
  const { beside, ...rule }: FieldRule = FIELDS[name];
  if (given.todo !== undefined) {
    const why = typeof given.todo === 'string' ? `: ${given.todo}` : '';
    faults.push({ field: `fields.${name}`, problem: `is still to be decided${why}` });
    return { constant: null };
  }
  const rules = { column: COLUMN, sql: SQL, constant: constantRule(rule) };
  const kinds = (['column', 'sql', 'constant'] as const).filter(kind => Object.hasOwn(given, kind));
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) return undefined;
  const fields = new Fields(given, `fields.${name}.`, faults);
  const mayHaveMore = kind === 'column' || (kind === 'sql' && beside === 'unlisted');
  const allowed = mayHaveMore && beside ? [beside] : [];
  fields.refuseUnknown([kind, 'note', ...allowed]);
  fields.readOr('note', parseText, 'must be text', null);
  const read = (key: string, { parse, rule }: Rule) => [key, fields.read(key, parse, rule)] as const;
  const more = allowed.filter(key => given[key] !== undefined);
  const source = [read(kind, rules[kind]), ...more.map(key => read(key, BESIDE[key]))];
  return Object.fromEntries(source) as unknown as FieldSource;
}

/** That of a constant of this field. */
export function constantRule({ varies, ...rule }: FieldRule): Rule<string | null> {
  if (!varies) return rule;
  return { parse: () => undefined, rule: 'is not the same for each API key: give column or sql' };
}

const COLUMN: Rule = {
  parse: value => (typeof value === 'string' && value !== '' && !value.includes('\0') ? value : undefined),
  rule: 'must be the name of a column, as it is, without quotes',
};

/** What it means is PostgreSQL's to say. A comment would hide what follows it in the statement. */
const SQL: Rule = {
  parse: value =>
    typeof value === 'string' && value.trim() !== '' && !/--|\/\*|;|\0/.test(value) ? value : undefined,
  rule: 'must be one SQL expression over the columns of the table, without a comment or a semicolon',
};

const BESIDE = {
  unlisted: {
    parse: value => (value === true ? value : undefined),
    rule: 'must be true where rows of NULL are meant to be in no list, or be left out',
  },
  unit: {
    parse: value => Object.keys(TIME_UNITS).find(unit => unit === value),
    rule: `must be one of ${Object.keys(TIME_UNITS).join(', ')}`,
  },
  values: {
    parse: parseValues,
    rule: `must have lists of texts, numbers, true, false or null for ${STATUSES.join(', ')}, each value once`,
  },
} as const satisfies Record<string, Rule>;

function parseValues(value: unknown): StatusValues | undefined {
  if (!isObject(value) || !Object.keys(value).every(parseStatus)) return undefined;
  const lists = Object.values(value);
  if (lists.length === 0 || !lists.every(Array.isArray)) return undefined;
  const all: unknown[] = lists.flat();
  const isValue = (each: unknown) =>
    each === null || typeof each === 'boolean' || parseText(each) !== undefined || Number.isFinite(each);
  return all.every(isValue) && new Set(all).size === all.length ? (value as StatusValues) : undefined;
}

const FILTERS_RULE = `must be a list of ${FILTER_NAMES.map(name => filters[name].parameter).join(', ')}, each at most once`;

function parseFilters(value: unknown): FilterName[] | undefined {
  if (!Array.isArray(value) || new Set(value).size < value.length) return undefined;
  const parameters: readonly unknown[] = FILTER_NAMES.map(name => filters[name].parameter);
  if (!value.every(each => parameters.includes(each))) return undefined;
  return FILTER_NAMES.filter(name => value.includes(filters[name].parameter));
}
