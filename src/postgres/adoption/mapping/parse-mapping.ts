import { parseStatus, STATUSES } from '../../../roster/api-key.ts';
import type { Fault } from '../../../roster/errors.ts';
import { Fields, isObject } from '../../../roster/fields.ts';
import { FILTER_NAMES, type FilterName, filters } from '../../../roster/filters.ts';
import {
  FIELD_NAMES,
  FIELDS,
  type FieldName,
  type FieldRule,
  type FieldSource,
  type Mapping,
  parseText,
  type StatusValues,
  TIME_UNITS,
  type TimeUnit,
} from './mapping.ts';
import { parseTableName, TABLE_RULE } from './table-name.ts';

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
  fields.refuseUnknown([
    String(kind),
    'note',
    ...(kind === 'column' && rule.beside ? [rule.beside] : []),
    ...(kind !== 'constant' && rule.mayBeUnlisted ? ['unlisted'] : []),
  ]);
  fields.readOr('note', parseText, 'must be text', null);
  if (kind === 'constant') {
    const {
      constant = () => undefined,
      constantRule = 'is not the same for each API key: give column or sql',
    } = rule;
    return { constant: fields.read('constant', constant, constantRule) };
  }
  const unlisted = optional('unlisted', fields.readOr('unlisted', parseTrue, UNLISTED_RULE, undefined));
  if (kind === 'sql') return { sql: fields.read('sql', parseSql, SQL_RULE), ...unlisted };
  return {
    column: fields.read('column', parseColumn, 'must be the name of a column, as it is, without quotes'),
    ...optional('values', fields.readOr('values', parseValues, VALUES_RULE, undefined)),
    ...optional('unit', fields.readOr('unit', parseUnit, UNIT_RULE, undefined)),
    ...unlisted,
  };
}

function optional<Name extends string, T>(name: Name, value: T | undefined): { [N in Name]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { [N in Name]?: T });
}

const UNLISTED_RULE = 'must be true where rows of NULL are meant to be in no list, or be left out';

function parseTrue(value: unknown): true | undefined {
  return value === true ? value : undefined;
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
