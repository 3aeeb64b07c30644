import { CREATOR_TYPES } from '../../../shared/record/api-key-record.ts';
import type { Fault } from '../../../shared/record/faults.ts';
import { Fields, isObject } from '../../../shared/record/fields.ts';
import { FILTER_NAMES, type FilterName, filters } from '../../../shared/record/filters.ts';
import { KEY_ID_RULE, OWNER_ID_RULE, parseKeyId, parseOwnerId } from '../../../shared/record/identifier.ts';
import { NAME_RULE, parseName } from '../../../shared/record/name.ts';
import { PARTIAL_KEY_HINT_RULE, parsePartialKeyHint } from '../../../shared/record/partial-key-hint.ts';
import { parseStatus, STATUS_RULE } from '../../../shared/record/status.ts';
import { MAX_FIELDS } from '../../roster/writes/new-field.ts';
import type { ColumnName } from '../columns.ts';
import type { Join } from './join.ts';
import { type MappedField, parseMappedField } from './mapped-field.ts';
import { type FieldRule, type FieldSource, parseSource, parseText, SOURCE_RULE } from './source.ts';
import { parseTableName, TABLE_RULE, type TableName } from './table-name.ts';

/** What a vendor's own table says of an API key, and where: the file `keyroster.table.json` (docs/your-table.md#2-the-mapping). */
export interface Mapping {
  readonly table: TableName;
  readonly fields: Readonly<Record<FieldName, FieldSource>>;
  /** In the order in which records have them, after the others. */
  readonly declared: readonly MappedField[];
  /** The filters that are served. Their combinations get an index each. */
  readonly filters: readonly FilterName[];
}

/** Whether rows without an organization are meant. */
export function hasUnlistedRows({ fields }: Pick<Mapping, 'fields'>): boolean {
  const source = fields.organization_id;
  return 'unlisted' in source && source.unlisted === true;
}

/** Those to the tables that have the organization; empty where the table of keys has it. */
export function joinsOf({ fields }: Pick<Mapping, 'fields'>): readonly Join[] {
  const source = fields.organization_id;
  return 'joins' in source ? source.joins : [];
}

const ownerId = { parse: parseOwnerId, rule: OWNER_ID_RULE, holds: 'id' } as const;

/** The fields of an API key, in the order of the record. A key may stand in an ID or a text by mistake, and not in one of few values. */
export const FIELDS = {
  organization_id: { ...ownerId, beside: 'unlisted' },
  id: { parse: parseKeyId, rule: KEY_ID_RULE, varies: true, holds: 'id' },
  name: { parse: parseName, rule: NAME_RULE, holds: 'text' },
  created_at: {
    parse: parseText,
    rule: 'must be a time of the years 1 to 9999',
    varies: true,
    beside: 'unit',
    holds: 'few',
  },
  created_by_id: ownerId,
  created_by_type: {
    parse: value => CREATOR_TYPES.find(type => type === value),
    rule: `must be one of ${CREATOR_TYPES.join(', ')}`,
    holds: 'few',
  },
  partial_key_hint: { parse: parsePartialKeyHint, rule: PARTIAL_KEY_HINT_RULE, holds: 'text' },
  status: { parse: parseStatus, rule: STATUS_RULE, beside: 'values', holds: 'few' },
  workspace_id: {
    parse: value => (value === null ? null : parseOwnerId(value)),
    rule: `${OWNER_ID_RULE}, or null`,
    holds: 'id',
  },
} as const satisfies Record<'organization_id' | ColumnName, FieldRule & { holds: 'id' | 'text' | 'few' }>;

export type FieldName = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

/** The fields that come from a value as it is. IDs are random texts, as keys are. */
export const ID_FIELDS = FIELD_NAMES.filter(name => FIELDS[name].holds === 'id');
/** What people read. */
export const SHOWN_FIELDS = FIELD_NAMES.filter(name => FIELDS[name].holds === 'text');

/** A mapping, or all faults of the file, at least one. They name the place and the rule. */
export type ParsedMapping = { readonly mapping: Mapping } | { readonly faults: readonly Fault[] };

export function parseMapping(json: unknown): ParsedMapping {
  if (!isObject(json)) return { faults: [{ field: null, problem: 'must be a JSON object' }] };
  const faults: Fault[] = [];
  const mapping = mappingIn(json, faults);
  return faults.length > 0 ? { faults } : { mapping };
}

/** With what is still to be decided as NULL. */
export function mappingIn(json: Record<string, unknown>, faults: Fault[] = []): Mapping {
  const top = new Fields(json, '', faults);
  top.refuseUnknown(['table', 'fields', 'filters']);
  const read = (value: unknown) => (isObject(value) ? parseFields(value, faults) : undefined);
  return {
    table: top.read('table', parseTableName, TABLE_RULE),
    ...top.read('fields', read, 'must be an object with a source for each field'),
    filters: top.read('filters', parseFilters, FILTERS_RULE),
  };
}

function parseFields(given: Record<string, unknown>, faults: Fault[]): Pick<Mapping, 'fields' | 'declared'> {
  const fields = new Fields(given, 'fields.', faults);
  const sources = FIELD_NAMES.map(name => {
    const source = (value: unknown) =>
      parseSource<string | null>(value, `fields.${name}`, FIELDS[name], faults);
    return [name, fields.read(name, source, SOURCE_RULE)];
  });
  const others = Object.entries(given).filter(([name]) => !Object.hasOwn(FIELDS, name));
  if (others.length > MAX_FIELDS)
    faults.push({ field: 'fields', problem: `at most ${MAX_FIELDS} besides those of the contract` });
  const declared = others.map(([name, value], index) => parseMappedField(name, index + 1, value, faults));
  return { fields: Object.fromEntries(sources), declared: declared.filter(each => each !== undefined) };
}

const FILTERS_RULE = `must be a list of ${FILTER_NAMES.map(name => filters[name].parameter).join(', ')}, each at most once`;

function parseFilters(value: unknown): FilterName[] | undefined {
  if (!Array.isArray(value) || new Set(value).size < value.length) return undefined;
  const parameters: readonly unknown[] = FILTER_NAMES.map(name => filters[name].parameter);
  if (!value.every(each => parameters.includes(each))) return undefined;
  return FILTER_NAMES.filter(name => value.includes(filters[name].parameter));
}
