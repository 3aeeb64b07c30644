import type { DeclaredField } from '../roster/declared-fields.ts';
import type { Fault } from '../roster/errors.ts';
import { Fields, isObject } from '../roster/fields.ts';
import { CSV_COLUMNS, type CsvColumn } from './render-csv.ts';
import { TIME_FORMS, type TimeForm } from './time-forms.ts';

/** Where the value of a field comes from, in a source with names and forms of its own. A name is that of a field or a column. */
export type FieldSource =
  | { readonly constant: string | null }
  | { readonly prefix: string; readonly last: string }
  | {
      readonly from: string;
      readonly values?: ReadonlyMap<string, string | null>;
      readonly time?: TimeForm;
      /** Drop what is below the microsecond, and don't refuse it. */
      readonly cut?: boolean;
      readonly mask?: string;
    };

/** The source of each field of a record: of all the contract's, and of the declared ones that the source has. */
export type ImportMap = ReadonlyMap<string, FieldSource>;

/** A map, or all faults of its file, at least one. They name the place and the rule. */
export type ParsedImportMap = { readonly map: ImportMap } | { readonly faults: readonly Fault[] };

/** The members of a source besides `from`, of the fields that may have them. */
const FORMS: { readonly [Column in CsvColumn]?: readonly string[] } = {
  created_at: ['time', 'nanoseconds'],
  partial_key_hint: ['mask'],
};
/** The same of a declared field. */
const formsOf = ({ type }: DeclaredField) => (type.kind === 'timestamp' ? FORMS.created_at : []);
const SOURCE_RULE =
  'must be the name of a field, or an object with one of from, constant and, for partial_key_hint, last';

export function parseImportMap(json: unknown, declared: readonly DeclaredField[]): ParsedImportMap {
  if (!isObject(json)) return { faults: [{ field: null, problem: 'must be a JSON object' }] };
  const faults: Fault[] = [];
  const top = new Fields(json, '', faults);
  top.refuseUnknown(['fields']);
  const parse = (value: unknown) => (isObject(value) ? parseFields(value, declared, faults) : undefined);
  const map = top.read('fields', parse, 'must be an object with a source for each field');
  return faults.length > 0 ? { faults } : { map };
}

function parseFields(
  value: Record<string, unknown>,
  declared: readonly DeclaredField[],
  faults: Fault[],
): ImportMap {
  const fields = new Fields(value, 'fields.', faults);
  fields.refuseUnknown([...CSV_COLUMNS, ...declared.map(({ name }) => name)]);
  const read = (name: string, forms: readonly string[] = []): [string, FieldSource] => [
    name,
    fields.read(name, source => parseSource(source, name, forms, faults), SOURCE_RULE),
  ];
  const named = declared.filter(({ name }) => Object.hasOwn(value, name));
  return new Map([
    ...CSV_COLUMNS.map(column => read(column, FORMS[column])),
    ...named.map(field => read(field.name, formsOf(field))),
  ]);
}

function parseSource(
  given: unknown,
  column: string,
  forms: readonly string[],
  faults: Fault[],
): FieldSource | undefined {
  if (!isObject(given)) {
    const from = parseText(given);
    return from === undefined ? undefined : { from };
  }
  const kinds = ['from', 'constant', 'last'].filter(kind => Object.hasOwn(given, kind));
  if (kinds.length !== 1 || (kinds[0] === 'last' && column !== 'partial_key_hint')) return undefined;
  const source = new Fields(given, `fields.${column}.`, faults);
  if (kinds[0] === 'constant') {
    source.refuseUnknown(['constant']);
    return { constant: source.read('constant', parseTextOrNull, 'must be text or null') };
  }
  if (kinds[0] === 'last') {
    source.refuseUnknown(['prefix', 'last']);
    const prefix = source.read('prefix', parseText, 'must be the text before the ellipsis');
    return { prefix, last: source.read('last', parseText, NAME_RULE) };
  }
  source.refuseUnknown(['from', 'values', ...forms]);
  return {
    from: source.read('from', parseText, NAME_RULE),
    ...optional('values', source.readOr('values', parseValues, VALUES_RULE, undefined)),
    ...optional('time', source.readOr('time', parseTimeForm, TIME_RULE, undefined)),
    ...optional('cut', source.readOr('nanoseconds', parseCut, 'must be cut or refuse', undefined)),
    ...optional('mask', source.readOr('mask', parseMask, 'must be one character, such as *', undefined)),
  };
}

const NAME_RULE = 'must be the name of a field of the source, such as key.id, or of a column';
const VALUES_RULE = "must be an object: the source's value, and for each the field's, text or null";
const TIME_RULE = `must be one of ${TIME_FORMS.join(', ')}`;

function optional<Name extends string, T>(name: Name, value: T | undefined): { [N in Name]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { [N in Name]?: T };
}

function parseText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function parseTextOrNull(value: unknown): string | null | undefined {
  return value === null ? null : parseText(value);
}

function parseValues(value: unknown): ReadonlyMap<string, string | null> | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).map(([from, to]) => [from, parseTextOrNull(to)] as const);
  return entries.length > 0 && entries.every(([, to]) => to !== undefined)
    ? new Map(entries as [string, string | null][])
    : undefined;
}

function parseTimeForm(value: unknown): TimeForm | undefined {
  return TIME_FORMS.find(form => form === value);
}

function parseCut(value: unknown): boolean | undefined {
  return value === 'cut' ? true : value === 'refuse' ? false : undefined;
}

function parseMask(value: unknown): string | undefined {
  return typeof value === 'string' && Array.from(value).length === 1 ? value : undefined;
}
