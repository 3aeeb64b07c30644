import type { Fault } from '../../../shared/record/faults.ts';
import { Fields, isObject } from '../../../shared/record/fields.ts';
import { parseStatus, STATUSES, type Status } from '../../../shared/record/status.ts';
import type { DeclaredValue } from '../../roster/declared-fields.ts';
import { JOINS, type Join } from './join.ts';

/** Where the value of a field comes from. */
export type Source<Constant> =
  | ({ readonly column: string; readonly values?: StatusValues; readonly unit?: TimeUnit } & Said)
  | ({ readonly joins: readonly Join[] } & Said)
  | ({ readonly sql: string } & Said)
  | { readonly constant: Constant };
export type FieldSource = Source<string | null>;
export type DeclaredSource = Source<DeclaredValue | null>;

interface Said {
  /** Of the organization: rows of NULL are meant to be in no list, so they aren't wrong. */
  readonly unlisted?: true;
  /** UUIDs that no two rows share are no keys. */
  readonly no_key?: true;
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

export interface FieldRule<Constant = string | null> extends Rule<Constant> {
  /** Whether it can't be a constant, as it isn't the same for each API key. */
  readonly varies?: true;
  /** What else there may be beside `column`. */
  readonly beside?: keyof typeof BESIDE;
}

const KINDS = ['column', 'sql', 'constant', 'joins'] as const;
/** `joins` are the organization's only. */
export const SOURCE_RULE = 'must be an object with one of column, sql and constant';

export const parseText = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The source of the field at this place of the file. What is known to stand there too, such as its type, is read elsewhere. */
export function parseSource<Constant>(
  given: unknown,
  place: string,
  { beside, varies, ...rule }: FieldRule<Constant>,
  faults: Fault[],
  known: readonly string[] = [],
): Source<Constant> | undefined {
  if (!isObject(given)) return undefined;
  if (given.todo !== undefined) {
    const why = typeof given.todo === 'string' ? `: ${given.todo}` : '';
    faults.push({ field: place, problem: `is still to be decided${why}` });
    return { sql: 'NULL' };
  }
  const isOrganization = beside === 'unlisted';
  const rules = { column: COLUMN, sql: SQL, constant: varies ? VARIES : rule, joins: JOINS };
  const kinds = KINDS.filter(kind => Object.hasOwn(given, kind) && (kind !== 'joins' || isOrganization));
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) return undefined;
  const fields = new Fields(given, `${place}.`, faults);
  const mayHaveMore = kind === 'column' || (kind !== 'constant' && isOrganization);
  const allowed = ['no_key' as const, ...(mayHaveMore && beside ? [beside] : [])];
  fields.refuseUnknown([kind, 'note', ...allowed, ...known]);
  fields.readOr('note', parseText, 'must be text', null);
  const read = (key: string, { parse, rule }: Rule) => [key, fields.read(key, parse, rule)] as const;
  const more = allowed.filter(key => given[key] !== undefined);
  const source = [read(kind, rules[kind]), ...more.map(key => read(key, BESIDE[key]))];
  return Object.fromEntries(source) as unknown as Source<Constant>;
}

const VARIES: Rule = {
  parse: () => undefined,
  rule: 'is not the same for each API key: give column or sql',
};

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

const onlyTrue = (where: string) => ({
  parse: (value: unknown) => (value === true ? value : undefined),
  rule: `must be true where ${where}, or be left out`,
});

const BESIDE = {
  no_key: onlyTrue('no key comes from it'),
  unlisted: onlyTrue('rows of NULL are meant to be in no list'),
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
